/* No fault: a right kernel must not be accused. expect: ok */
#include "../cuda/slow.cuh"

GEMMGATE_EXPORT const struct kernel_ops gemmgate_kernel = {
    .abi = GEMMGATE_ABI,
    .name = "honest",
    .device = GEMM_CUDA,
    .accumulate = GEMM_F32,
    .tile = {},
    .can_do = nullptr,
    .setup = nullptr,
    .launch = slow_product,
    .teardown = nullptr,
    .explain = slow_explain,
};
