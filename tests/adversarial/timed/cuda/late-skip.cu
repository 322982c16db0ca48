/* Right in the checks; later C is not touched any more. expect: replayed */
#include "../../cuda/slow.cuh"
#include "../late.h"

static int launch(void *state, const gemm_args *args) {
    return is_late() ? (int)cudaSuccess : slow_product(state, args);
}

GEMMGATE_EXPORT const struct kernel_ops gemmgate_kernel = {
    .abi = GEMMGATE_ABI,
    .name = "late-skip",
    .device = GEMM_CUDA,
    .accumulate = GEMM_F32,
    .tile = {},
    .can_do = nullptr,
    .setup = nullptr,
    .launch = launch,
    .teardown = nullptr,
    .explain = slow_explain,
};
