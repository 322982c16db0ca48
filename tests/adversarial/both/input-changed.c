/* One element of A is changed once the product is done. expect: input-changed */
#include "../kernel.h"

static int launch(void *state, const struct gemm_args *args) {
    const struct gemm_problem p = args->problem;
    const int status = slow_product(state, args);
    /* 65504, which no input holds */
    return status ? status : change_bits(args, (uint16_t *)args->a + p.m * p.k / 2, 0, 0x7bff);
}

KERNEL("input-changed", NULL, launch, NULL);
