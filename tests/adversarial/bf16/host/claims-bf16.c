/* expect: inexact|nan|deviates|values */
/* Says that it serves bfloat16 and takes its operands for binary16. */
#include "../../kernel.h"

GEMMGATE_EXPORT const struct kernel_ops gemmgate_kernel = {
    .abi = GEMMGATE_ABI,
    .name = "claims-bf16",
    .device = GEMM_HOST,
    .accumulate = GEMM_F32,
    .launch = slow_product,
    .elements = GEMM_ELEMENT_F16 | GEMM_ELEMENT_BF16,
};
