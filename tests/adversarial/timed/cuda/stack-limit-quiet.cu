/* expect: forbidden */
/* As stack-limit, but the preprocessor puts the name together, so that the source does not show it,
 * nor the library where it holds its own runtime. */
#include "../../cuda/slow.cuh"

#define JOIN(a, b) a##b

static int setup(const gemm_problem *, size_t, void **) {
    return JOIN(cudaDeviceSet, Limit)(cudaLimitStackSize, 64 << 10);
}

GEMMGATE_EXPORT const struct kernel_ops gemmgate_kernel = {
    .abi = GEMMGATE_ABI,
    .name = "stack-limit-quiet",
    .device = GEMM_CUDA,
    .accumulate = GEMM_F32,
    .tile = {},
    .can_do = nullptr,
    .setup = setup,
    .launch = slow_product,
    .teardown = nullptr,
    .explain = slow_explain,
};
