/* setup outlives every limit. expect: timed-out */
#include <unistd.h>

#include "../../cuda/slow.cuh"

static int setup(const gemm_problem *, size_t, void **) {
    sleep(3600);
    return cudaSuccess;
}

GEMMGATE_EXPORT const struct kernel_ops gemmgate_kernel = {
    .abi = GEMMGATE_ABI,
    .name = "setup-sleeps",
    .device = GEMM_CUDA,
    .accumulate = GEMM_F32,
    .tile = {},
    .can_do = nullptr,
    .setup = setup,
    .launch = slow_product,
    .teardown = nullptr,
    .explain = slow_explain,
};
