/* One element past the end of C is written. expect: wrote-outside */
#include "../kernel.h"

static int launch(void *state, const struct gemm_args *args) {
    const struct gemm_problem p = args->problem;
    const int status = slow_product(state, args);
    return status ? status : change_bits(args, (uint16_t *)args->c + p.m * p.n, 0, 0);
}

KERNEL("write-past", NULL, launch, NULL);
