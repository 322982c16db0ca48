/* expect: replayed|unstable */
/* It never waits for the work in front of it, and lets the next begin at once, so that calls in a
 * row overlap. Where A is written right in front of it, it reads what was there before. (Up to sm_89
 * nothing begins early, and it is ok.) */
#include "dependent.cuh"

static __global__ void multiply(const __half *a, const __half *b, __half *c, gemm_problem p) {
    const int64_t at = (int64_t)blockIdx.x * blockDim.x + threadIdx.x;
    let_next_begin();
    if (at >= p.m * p.n)
        return;
    float sum = 0.0f;
    for (int64_t k = 0; k < p.k; k++)
        sum += __half2float(a[at / p.n * p.k + k]) * __half2float(b[k * p.n + at % p.n]);
    c[at] = __float2half_rn(sum);
}

static int launch(void *, const gemm_args *args) {
    const gemm_problem &p = args->problem;
    return launch_dependent(multiply, (unsigned)((p.m * p.n + 255) / 256), 256,
                            (cudaStream_t)args->stream, (const __half *)args->a,
                            (const __half *)args->b_row, (__half *)args->c, p);
}

KERNEL("dependent-early", NULL, launch, NULL);
