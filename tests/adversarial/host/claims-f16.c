/* Offers f16 accumulation only, in a run that asks for f32. expect: unsupported */
#include "../kernel.h"

GEMMGATE_EXPORT const struct kernel_ops gemmgate_kernel = {
    .abi = GEMMGATE_ABI,
    .name = "claims-f16",
    .device = GEMM_HOST,
    .accumulate = GEMM_F16,
    .launch = slow_product,
};
