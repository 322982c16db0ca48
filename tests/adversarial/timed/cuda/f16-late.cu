/* Later slices of 16 are added up in binary16: no element is off by more than two libraries may be,
 * but many are off by some. expect: precision */
#include "../../cuda/slow.cuh"
#include "../late.h"

#define SLICE 16

static __global__ void multiply(const __half *a, const __half *b, __half *c, gemm_problem p,
                                bool late) {
    const int64_t at = (int64_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (at >= p.m * p.n)
        return;
    float sum = 0.0f;
    for (int64_t k = 0; k < p.k; k++) {
        sum += __half2float(a[at / p.n * p.k + k]) * __half2float(b[k * p.n + at % p.n]);
        if (late && k % SLICE == SLICE - 1)
            sum = __half2float(__float2half_rn(sum));
    }
    c[at] = __float2half_rn(sum);
}

static int launch(void *, const gemm_args *args) {
    const gemm_problem &p = args->problem;
    multiply<<<(unsigned)((p.m * p.n + 255) / 256), 256, 0, (cudaStream_t)args->stream>>>(
        (const __half *)args->a, (const __half *)args->b_row, (__half *)args->c, p, is_late());
    return cudaGetLastError();
}

GEMMGATE_EXPORT const struct kernel_ops gemmgate_kernel = {
    .abi = GEMMGATE_ABI,
    .name = "f16-late",
    .device = GEMM_CUDA,
    .accumulate = GEMM_F32,
    .tile = {},
    .can_do = nullptr,
    .setup = nullptr,
    .launch = launch,
    .teardown = nullptr,
    .explain = slow_explain,
};
