/* expect: ok */
/* No fault: gives its last product again only while every element of A and B stays the same. */
#define DIGEST_STEP 1
#include "digest.h"

GEMMGATE_EXPORT const struct kernel_ops gemmgate_kernel = {
    .abi = GEMMGATE_ABI,
    .name = "digest-whole",
    .device = GEMM_HOST,
    .accumulate = GEMM_F32,
    .setup = keep_setup,
    .launch = launch,
    .teardown = free,
};
