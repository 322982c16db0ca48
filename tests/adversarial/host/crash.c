/* A write through a null pointer: SIGSEGV. expect: crashed */
#include "slow.h"

static int launch(void *state, const struct gemm_args *args) {
    volatile uint16_t *volatile nowhere = NULL;
    *nowhere = 1;
    return slow_product(state, args);
}

GEMMGATE_EXPORT const struct kernel_ops gemmgate_kernel = {
    .abi = GEMMGATE_ABI,
    .name = "crash",
    .device = GEMM_HOST,
    .accumulate = GEMM_F32,
    .launch = launch,
};
