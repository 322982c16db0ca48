/* launch never returns. expect: timed-out */
#include "slow.h"

static int launch(void *state, const struct gemm_args *args) {
    for (volatile int waiting = 1; waiting;)
        ;
    return slow_product(state, args);
}

GEMMGATE_EXPORT const struct kernel_ops gemmgate_kernel = {
    .abi = GEMMGATE_ABI,
    .name = "hang",
    .device = GEMM_HOST,
    .accumulate = GEMM_F32,
    .launch = launch,
};
