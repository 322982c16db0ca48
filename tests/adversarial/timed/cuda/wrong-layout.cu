/* Reads the column-major copy of B as if it were row-major. expect: inexact */
#include "../../cuda/slow.cuh"

static int launch(void *state, const gemm_args *args) {
    gemm_args other = *args;
    other.b_row = args->b_col;
    return slow_product(state, &other);
}

GEMMGATE_EXPORT const struct kernel_ops gemmgate_kernel = {
    .abi = GEMMGATE_ABI,
    .name = "wrong-layout",
    .device = GEMM_CUDA,
    .accumulate = GEMM_F32,
    .tile = {},
    .can_do = nullptr,
    .setup = nullptr,
    .launch = launch,
    .teardown = nullptr,
    .explain = slow_explain,
};
