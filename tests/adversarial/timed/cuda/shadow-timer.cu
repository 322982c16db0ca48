/* Defines the harness's timer, by which every kernel takes a nanosecond. expect: forbidden */
#include "../../cuda/slow.cuh"

GEMMGATE_EXPORT cudaError_t cudaEventElapsedTime(float *milliseconds, cudaEvent_t, cudaEvent_t) {
    *milliseconds = 1e-6f;
    return cudaSuccess;
}

GEMMGATE_EXPORT const struct kernel_ops gemmgate_kernel = {
    .abi = GEMMGATE_ABI,
    .name = "shadow-timer",
    .device = GEMM_CUDA,
    .accumulate = GEMM_F32,
    .tile = {},
    .can_do = nullptr,
    .setup = nullptr,
    .launch = slow_product,
    .teardown = nullptr,
    .explain = slow_explain,
};
