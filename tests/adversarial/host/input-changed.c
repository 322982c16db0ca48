/* One element of A is changed once the product is done. expect: input-changed */
#include "slow.h"

static int launch(void *state, const struct gemm_args *args) {
    const struct gemm_problem p = args->problem;
    int status = slow_product(state, args);
    ((uint16_t *)args->a)[p.m * p.k / 2] = 0x7bff; /* 65504, which no input holds */
    return status;
}

GEMMGATE_EXPORT const struct kernel_ops gemmgate_kernel = {
    .abi = GEMMGATE_ABI,
    .name = "input-changed",
    .device = GEMM_HOST,
    .accumulate = GEMM_F32,
    .launch = launch,
};
