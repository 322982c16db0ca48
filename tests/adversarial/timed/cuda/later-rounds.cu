/* Right in the round with the checks; in the processes of later rounds every second C is not
 * touched, after a dozen calls. expect: replayed */
#define HONEST_CALLS 12
#include "../late.h"
#include "first-round.cuh"

static __global__ void multiply(const __half *a, const __half *b, __half *c, gemm_problem p,
                                bool skip) {
    const int64_t at = (int64_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (at >= p.m * p.n || (skip && is_later_round))
        return;
    float sum = 0.0f;
    for (int64_t k = 0; k < p.k; k++)
        sum += __half2float(a[at / p.n * p.k + k]) * __half2float(b[k * p.n + at % p.n]);
    c[at] = __float2half_rn(sum);
}

static int launch(void *, const gemm_args *args) {
    static bool skip;
    const gemm_problem &p = args->problem;
    skip = is_late() && !skip;
    remember_round(args);
    multiply<<<(unsigned)((p.m * p.n + 255) / 256), 256, 0, (cudaStream_t)args->stream>>>(
        (const __half *)args->a, (const __half *)args->b_row, (__half *)args->c, p, skip);
    return cudaGetLastError();
}

GEMMGATE_EXPORT const struct kernel_ops gemmgate_kernel = {
    .abi = GEMMGATE_ABI,
    .name = "later-rounds",
    .device = GEMM_CUDA,
    .accumulate = GEMM_F32,
    .tile = {},
    .can_do = nullptr,
    .setup = nullptr,
    .launch = launch,
    .teardown = nullptr,
    .explain = slow_explain,
};
