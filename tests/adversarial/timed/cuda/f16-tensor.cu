/* Claims f32, but the tensor cores accumulate in binary16. expect: precision|deviates */
#include "tensor.cuh"

GEMMGATE_EXPORT const struct kernel_ops gemmgate_kernel = {
    .abi = GEMMGATE_ABI,
    .name = "f16-tensor",
    .device = GEMM_CUDA,
    .accumulate = GEMM_F32,
    .tile = {},
    .can_do = tensor_can_do,
    .setup = nullptr,
    .launch = tensor_launch<__half>,
    .teardown = nullptr,
    .explain = slow_explain,
};
