/* The process aborts, as an uncaught exception would make it. expect: crashed */
#include <stdlib.h>

#include "slow.h"

static int launch(void *state, const struct gemm_args *args) {
    (void)state;
    (void)args;
    abort();
}

GEMMGATE_EXPORT const struct kernel_ops gemmgate_kernel = {
    .abi = GEMMGATE_ABI,
    .name = "abort",
    .device = GEMM_HOST,
    .accumulate = GEMM_F32,
    .launch = launch,
};
