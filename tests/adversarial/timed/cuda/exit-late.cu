/* Later the process ends as if all were well. expect: exited */
#include <cstdlib>

#include "../../cuda/slow.cuh"
#include "../late.h"

static int launch(void *state, const gemm_args *args) {
    const int status = slow_product(state, args);
    if (is_late())
        exit(0);
    return status;
}

GEMMGATE_EXPORT const struct kernel_ops gemmgate_kernel = {
    .abi = GEMMGATE_ABI,
    .name = "exit-late",
    .device = GEMM_CUDA,
    .accumulate = GEMM_F32,
    .tile = {},
    .can_do = nullptr,
    .setup = nullptr,
    .launch = launch,
    .teardown = nullptr,
    .explain = slow_explain,
};
