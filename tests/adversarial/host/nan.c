/* One element of C, in the middle, is a NaN. expect: nan */
#include "../kernel.h"

static int launch(void *state, const struct gemm_args *args) {
    const struct gemm_problem p = args->problem;
    int status = slow_product(state, args);
    ((uint16_t *)args->c)[p.m * p.n / 2] = 0x7e00;
    return status;
}

KERNEL("nan", NULL, launch, NULL);
