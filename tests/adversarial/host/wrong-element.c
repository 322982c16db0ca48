/* One element of C, the last, is off by one last place. expect: inexact */
#include "slow.h"

static int launch(void *state, const struct gemm_args *args) {
    const struct gemm_problem p = args->problem;
    int status = slow_product(state, args);
    ((uint16_t *)args->c)[p.m * p.n - 1] ^= 1;
    return status;
}

GEMMGATE_EXPORT const struct kernel_ops gemmgate_kernel = {
    .abi = GEMMGATE_ABI,
    .name = "wrong-element",
    .device = GEMM_HOST,
    .accumulate = GEMM_F32,
    .launch = launch,
};
