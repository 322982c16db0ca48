/* expect: replayed|unstable */
/* Gives its last product again while every 512th element of A and B stays the same: over all
 * arrivals of a visit, unless each has operands of its own. */
#define DIGEST_STEP 512
#include "digest.h"

GEMMGATE_EXPORT const struct kernel_ops gemmgate_kernel = {
    .abi = GEMMGATE_ABI,
    .name = "digest-sampled",
    .device = GEMM_HOST,
    .accumulate = GEMM_F32,
    .setup = keep_setup,
    .launch = launch,
    .teardown = free,
};
