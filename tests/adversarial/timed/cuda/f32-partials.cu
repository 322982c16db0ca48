/* expect: ok */
/* No fault: two kernels a call, too, but their partial sums, allocated in setup, are binary32. */
#include "split.cuh"

GEMMGATE_EXPORT const struct kernel_ops gemmgate_kernel = {
    .abi = GEMMGATE_ABI,
    .name = "f32-partials",
    .device = GEMM_CUDA,
    .accumulate = GEMM_F32,
    .tile = {},
    .can_do = nullptr,
    .setup = split_setup<float>,
    .launch = split_launch<float>,
    .teardown = split_teardown,
    .explain = slow_explain,
};
