/* One element past the end of C is written. expect: wrote-outside */
#include "slow.h"

static int launch(void *state, const struct gemm_args *args) {
    const struct gemm_problem p = args->problem;
    int status = slow_product(state, args);
    ((uint16_t *)args->c)[p.m * p.n] = 0;
    return status;
}

GEMMGATE_EXPORT const struct kernel_ops gemmgate_kernel = {
    .abi = GEMMGATE_ABI,
    .name = "write-past",
    .device = GEMM_HOST,
    .accumulate = GEMM_F32,
    .launch = launch,
};
