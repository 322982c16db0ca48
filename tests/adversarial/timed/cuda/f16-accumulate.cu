/* expect: precision|deviates */
/* Claims f32, but accumulates in binary16. The bound on deviations may see it first. */
#include "../../kernel.h"

static __global__ void multiply(const __half *a, const __half *b, __half *c, gemm_problem p) {
    const int64_t at = (int64_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (at >= p.m * p.n)
        return;
    __half sum = __float2half_rn(0.0f);
    for (int64_t k = 0; k < p.k; k++)
        sum = __hfma(a[at / p.n * p.k + k], b[k * p.n + at % p.n], sum);
    c[at] = sum;
}

static int launch(void *, const gemm_args *args) {
    const gemm_problem &p = args->problem;
    multiply<<<(unsigned)((p.m * p.n + 255) / 256), 256, 0, (cudaStream_t)args->stream>>>(
        (const __half *)args->a, (const __half *)args->b_row, (__half *)args->c, p);
    return cudaGetLastError();
}

KERNEL("f16-accumulate", NULL, launch, NULL);
