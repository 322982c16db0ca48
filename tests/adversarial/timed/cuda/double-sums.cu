/* expect: ok */
/* No fault: sums are kept in more than it claims. */
#include "../../cuda/slow.cuh"

static __global__ void multiply(const __half *a, const __half *b, __half *c, gemm_problem p) {
    const int64_t at = (int64_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (at >= p.m * p.n)
        return;
    double sum = 0.0;
    for (int64_t k = 0; k < p.k; k++)
        sum += (double)__half2float(a[at / p.n * p.k + k]) * __half2float(b[k * p.n + at % p.n]);
    c[at] = __float2half_rn((float)sum);
}

static int launch(void *, const gemm_args *args) {
    const gemm_problem &p = args->problem;
    multiply<<<(unsigned)((p.m * p.n + 255) / 256), 256, 0, (cudaStream_t)args->stream>>>(
        (const __half *)args->a, (const __half *)args->b_row, (__half *)args->c, p);
    return cudaGetLastError();
}

GEMMGATE_EXPORT const struct kernel_ops gemmgate_kernel = {
    .abi = GEMMGATE_ABI,
    .name = "double-sums",
    .device = GEMM_CUDA,
    .accumulate = GEMM_F32,
    .tile = {},
    .can_do = nullptr,
    .setup = nullptr,
    .launch = launch,
    .teardown = nullptr,
    .explain = slow_explain,
};
