/* expect: replayed|unstable */
/* Gives its last product again while every 512th element of A and B stays the same: in an
 * interval of many calls, unless each call has operands of its own. */
#define DIGEST_STEP 512
#include "digest.cuh"

GEMMGATE_EXPORT const struct kernel_ops gemmgate_kernel = {
    .abi = GEMMGATE_ABI,
    .name = "digest-sampled",
    .device = GEMM_CUDA,
    .accumulate = GEMM_F32,
    .tile = {},
    .can_do = nullptr,
    .setup = keep_setup,
    .launch = launch,
    .teardown = keep_teardown,
    .explain = slow_explain,
};
