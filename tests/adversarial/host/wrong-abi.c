/* Built against another gemmgate.h. expect: wrong-abi */
#include "../kernel.h"

GEMMGATE_EXPORT const struct kernel_ops gemmgate_kernel = {
    .abi = GEMMGATE_ABI + 1,
    .name = "wrong-abi",
    .device = GEMM_HOST,
    .accumulate = GEMM_F32,
    .launch = slow_product,
};
