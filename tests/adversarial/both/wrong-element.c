/* One element of C, the last, is off by one last place. expect: inexact */
#include "../kernel.h"

static int launch(void *state, const struct gemm_args *args) {
    const struct gemm_problem p = args->problem;
    const int status = slow_product(state, args);
    return status ? status : change_bits(args, (uint16_t *)args->c + p.m * p.n - 1, 0xffff, 1);
}

KERNEL("wrong-element", NULL, launch, NULL);
