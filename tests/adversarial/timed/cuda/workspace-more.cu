/* expect: forbidden */
/* Its scratch memory is a MiB larger than its workspace. */
#include "../../cuda/slow.cuh"

static int setup(const gemm_problem *, size_t workspace_bytes, void **state) {
    return cudaMalloc(state, workspace_bytes + ((size_t)1 << 20));
}

static void teardown(void *state) {
    cudaFree(state);
}

GEMMGATE_EXPORT const struct kernel_ops gemmgate_kernel = {
    .abi = GEMMGATE_ABI,
    .name = "workspace-more",
    .device = GEMM_CUDA,
    .accumulate = GEMM_F32,
    .tile = {},
    .can_do = nullptr,
    .setup = setup,
    .launch = slow_product,
    .teardown = teardown,
    .explain = slow_explain,
};
