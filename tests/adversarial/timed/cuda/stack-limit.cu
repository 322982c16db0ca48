/* Changes a limit of the device, which outlasts it. expect: forbidden */
#include "../../cuda/slow.cuh"

static int setup(const gemm_problem *, size_t, void **) {
    return cudaDeviceSetLimit(cudaLimitStackSize, 64 << 10);
}

GEMMGATE_EXPORT const struct kernel_ops gemmgate_kernel = {
    .abi = GEMMGATE_ABI,
    .name = "stack-limit",
    .device = GEMM_CUDA,
    .accumulate = GEMM_F32,
    .tile = {},
    .can_do = nullptr,
    .setup = setup,
    .launch = slow_product,
    .teardown = nullptr,
    .explain = slow_explain,
};
