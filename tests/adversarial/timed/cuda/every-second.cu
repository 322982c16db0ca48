/* Later every second call does nothing. expect: replayed */
#include "../../cuda/slow.cuh"
#include "../late.h"

static int launch(void *state, const gemm_args *args) {
    static bool skip;
    if (is_late())
        skip = !skip;
    return skip ? (int)cudaSuccess : slow_product(state, args);
}

GEMMGATE_EXPORT const struct kernel_ops gemmgate_kernel = {
    .abi = GEMMGATE_ABI,
    .name = "every-second",
    .device = GEMM_CUDA,
    .accumulate = GEMM_F32,
    .tile = {},
    .can_do = nullptr,
    .setup = nullptr,
    .launch = launch,
    .teardown = nullptr,
    .explain = slow_explain,
};
