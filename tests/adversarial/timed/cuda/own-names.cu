/* expect: ok */
/* No fault: exports functions, too, but by names of its own that merely look like others'. */
#include "../../cuda/slow.cuh"

GEMMGATE_EXPORT int64_t hgemm_tile(int64_t size) {
    return size < 32 ? size : 32;
}

GEMMGATE_EXPORT int64_t elapsed_rows(int64_t rows) {
    return rows - rows % hgemm_tile(rows);
}

static int launch(void *state, const gemm_args *args) {
    return elapsed_rows(args->problem.m) > 0 ? slow_product(state, args) : cudaErrorInvalidValue;
}

GEMMGATE_EXPORT const struct kernel_ops gemmgate_kernel = {
    .abi = GEMMGATE_ABI,
    .name = "own-names",
    .device = GEMM_CUDA,
    .accumulate = GEMM_F32,
    .tile = {},
    .can_do = nullptr,
    .setup = nullptr,
    .launch = launch,
    .teardown = nullptr,
    .explain = slow_explain,
};
