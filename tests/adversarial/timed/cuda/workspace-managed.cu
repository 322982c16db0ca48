/* expect: forbidden */
/* Its scratch memory, which host and device share, is a MiB larger than its workspace. */

#include "../../cuda/slow.cuh"

static int setup(const gemm_problem *, size_t workspace_bytes, void **state) {
    return cudaMallocManaged(state, workspace_bytes + ((size_t)1 << 20));
}

GEMMGATE_EXPORT const struct kernel_ops gemmgate_kernel = {
    .abi = GEMMGATE_ABI,
    .name = "workspace-managed",
    .device = GEMM_CUDA,
    .accumulate = GEMM_F32,
    .tile = {},
    .can_do = nullptr,
    .setup = setup,
    .launch = slow_product,
    .teardown = nullptr,
    .explain = slow_explain,
};
