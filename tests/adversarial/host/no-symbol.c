/* The symbol that the harness looks for is called otherwise. expect: no-load */
#include "../kernel.h"

GEMMGATE_EXPORT const struct kernel_ops another_kernel = {
    .abi = GEMMGATE_ABI,
    .name = "no-symbol",
    .device = GEMM_HOST,
    .accumulate = GEMM_F32,
    .launch = slow_product,
};
