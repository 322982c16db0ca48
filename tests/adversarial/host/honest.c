/* No fault: a right kernel must not be accused. expect: ok */
#include "slow.h"

GEMMGATE_EXPORT const struct kernel_ops gemmgate_kernel = {
    .abi = GEMMGATE_ABI,
    .name = "honest",
    .device = GEMM_HOST,
    .accumulate = GEMM_F32,
    .launch = slow_product,
};
