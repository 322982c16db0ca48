/* launch does its work and still returns a status; there is no explain. expect: launch-failed */
#include "slow.h"

static int launch(void *state, const struct gemm_args *args) {
    slow_product(state, args);
    return 7;
}

GEMMGATE_EXPORT const struct kernel_ops gemmgate_kernel = {
    .abi = GEMMGATE_ABI,
    .name = "launch-fails",
    .device = GEMM_HOST,
    .accumulate = GEMM_F32,
    .launch = launch,
};
