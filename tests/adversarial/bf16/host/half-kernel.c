/* expect: unsupported */
/* Twin of the others: serves binary16, says so by saying nothing, and is not asked. */
#include "../../host/slow.h"

GEMMGATE_EXPORT const struct kernel_ops gemmgate_kernel = {
    .abi = GEMMGATE_ABI,
    .name = "half-kernel",
    .device = GEMM_HOST,
    .accumulate = GEMM_F32,
    .launch = slow_product,
};
