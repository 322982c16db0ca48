/* recording: carried out */
/* expect: ok */
/* A counter of the host chooses one of two orders of the blocks, turn by turn. */
#include "twin.cuh"

static __global__ void backward(const __half *a, const __half *b, __half *c, gemm_problem p) {
    const int64_t at = (int64_t)(gridDim.x - 1 - blockIdx.x) * blockDim.x + threadIdx.x;
    if (at >= p.m * p.n)
        return;
    float sum = 0.0f;
    for (int64_t k = 0; k < p.k; k++)
        sum += __half2float(a[at / p.n * p.k + k]) * __half2float(b[k * p.n + at % p.n]);
    c[at] = __float2half_rn(sum);
}

static int launch(void *, const gemm_args *args) {
    static unsigned calls;
    const gemm_problem &p = args->problem;
    if (calls++ % 2)
        return slow_product(nullptr, args);
    backward<<<twin_blocks(p), 256, 0, (cudaStream_t)args->stream>>>(
        (const __half *)args->a, (const __half *)args->b_row, (__half *)args->c, p);
    return cudaGetLastError();
}

KERNEL("alternates", NULL, launch, NULL);
