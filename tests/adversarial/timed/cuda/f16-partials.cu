/* expect: precision|deviates */
/* Claims f32, but the sums of quarters of k are rounded to binary16 before they are added. */
#include "split.cuh"

GEMMGATE_EXPORT const struct kernel_ops gemmgate_kernel = {
    .abi = GEMMGATE_ABI,
    .name = "f16-partials",
    .device = GEMM_CUDA,
    .accumulate = GEMM_F32,
    .tile = {},
    .can_do = nullptr,
    .setup = split_setup<__half>,
    .launch = split_launch<__half>,
    .teardown = split_teardown,
    .explain = slow_explain,
};
