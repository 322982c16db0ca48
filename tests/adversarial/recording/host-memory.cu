/* recording: no: locked memory of the host */
/* expect: unrecorded */
/* The kernel reads a factor from locked memory of the host. */
#include "twin.cuh"

static __global__ void scaled(const __half *a, const __half *b, __half *c, gemm_problem p,
                              const float *factor) {
    const int64_t at = (int64_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (at >= p.m * p.n)
        return;
    float sum = 0.0f;
    for (int64_t k = 0; k < p.k; k++)
        sum += __half2float(a[at / p.n * p.k + k]) * __half2float(b[k * p.n + at % p.n]);
    c[at] = __float2half_rn(sum * *factor);
}

static int setup(const gemm_problem *, size_t, void **state) {
    const cudaError_t status = cudaHostAlloc(state, sizeof(float), cudaHostAllocMapped);
    if (status == cudaSuccess)
        *(float *)*state = 1.0f;
    return status;
}

static int launch(void *state, const gemm_args *args) {
    const gemm_problem &p = args->problem;
    scaled<<<twin_blocks(p), 256, 0, (cudaStream_t)args->stream>>>(
        (const __half *)args->a, (const __half *)args->b_row, (__half *)args->c, p,
        (const float *)state);
    return cudaGetLastError();
}

KERNEL("host-memory", setup, launch, NULL);
