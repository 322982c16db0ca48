/* The product is right, but the process ends as if all were well. expect: exited */
#include <stdlib.h>

#include "slow.h"

static int launch(void *state, const struct gemm_args *args) {
    slow_product(state, args);
    exit(0);
}

GEMMGATE_EXPORT const struct kernel_ops gemmgate_kernel = {
    .abi = GEMMGATE_ABI,
    .name = "exit",
    .device = GEMM_HOST,
    .accumulate = GEMM_F32,
    .launch = launch,
};
