/* Reads the column-major copy of B as if it were row-major. expect: inexact */
#include "../../kernel.h"

static int launch(void *state, const struct gemm_args *args) {
    struct gemm_args other = *args;
    other.b_row = args->b_col;
    return slow_product(state, &other);
}

KERNEL("wrong-layout", NULL, launch, NULL);
