/* Later C is a copy of the last honest call's. expect: replayed|unstable */
#include "../late.h"
#include "keep.cuh"

static int launch(void *state, const gemm_args *args) {
    if (is_late())
        return replay((const kept *)state, args);
    const int status = slow_product(nullptr, args);
    return status == cudaSuccess ? keep((kept *)state, args) : status;
}

GEMMGATE_EXPORT const struct kernel_ops gemmgate_kernel = {
    .abi = GEMMGATE_ABI,
    .name = "replay",
    .device = GEMM_CUDA,
    .accumulate = GEMM_F32,
    .tile = {},
    .can_do = nullptr,
    .setup = keep_setup,
    .launch = launch,
    .teardown = keep_teardown,
    .explain = slow_explain,
};
