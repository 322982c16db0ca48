/* expect: replayed|unstable */
/* Later, where A and B lie where they lay in the call before, C is a copy of that call's. */
#include "../late.h"
#include "keep.cuh"

static int launch(void *state, const gemm_args *args) {
    kept *last = (kept *)state;
    if (is_late() && last->a == args->a && last->b == args->b_row)
        return replay(last, args);
    const int status = slow_product(nullptr, args);
    return status == cudaSuccess ? keep(last, args) : status;
}

GEMMGATE_EXPORT const struct kernel_ops gemmgate_kernel = {
    .abi = GEMMGATE_ABI,
    .name = "cache-pointer",
    .device = GEMM_CUDA,
    .accumulate = GEMM_F32,
    .tile = {},
    .can_do = nullptr,
    .setup = keep_setup,
    .launch = launch,
    .teardown = keep_teardown,
    .explain = slow_explain,
};
