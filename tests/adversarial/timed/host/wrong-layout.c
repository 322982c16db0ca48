/* Reads the column-major copy of B as if it were row-major. expect: inexact */
#include "../../host/slow.h"

static int launch(void *state, const struct gemm_args *args) {
    struct gemm_args other = *args;
    other.b_row = args->b_col;
    return slow_product(state, &other);
}

GEMMGATE_EXPORT const struct kernel_ops gemmgate_kernel = {
    .abi = GEMMGATE_ABI,
    .name = "wrong-layout",
    .device = GEMM_HOST,
    .accumulate = GEMM_F32,
    .launch = launch,
};
