/* No fault: the same tensor cores accumulate in binary32. expect: ok */
#include "tensor.cuh"

GEMMGATE_EXPORT const struct kernel_ops gemmgate_kernel = {
    .abi = GEMMGATE_ABI,
    .name = "f32-tensor",
    .device = GEMM_CUDA,
    .accumulate = GEMM_F32,
    .tile = {},
    .can_do = tensor_can_do,
    .setup = nullptr,
    .launch = tensor_launch<float>,
    .teardown = nullptr,
    .explain = slow_explain,
};
