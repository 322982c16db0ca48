/* The product is right, but the process ends as if all were well. expect: exited */
#include "slow.cuh"
#include <stdlib.h>

static int launch(void *state, const gemm_args *args) {
    slow_product(state, args);
    exit(0);
}

GEMMGATE_EXPORT const struct kernel_ops gemmgate_kernel = {
    .abi = GEMMGATE_ABI,
    .name = "exit",
    .device = GEMM_CUDA,
    .accumulate = GEMM_F32,
    .tile = {},
    .can_do = nullptr,
    .setup = nullptr,
    .launch = launch,
    .teardown = nullptr,
    .explain = slow_explain,
};
