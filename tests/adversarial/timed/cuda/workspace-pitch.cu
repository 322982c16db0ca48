/* expect: forbidden */
/* Its scratch memory, in rows, is a MiB larger than its workspace. */

#include "../../cuda/slow.cuh"

static int setup(const gemm_problem *, size_t workspace_bytes, void **state) {
    const size_t row = (size_t)1 << 20;
    size_t pitch;
    return cudaMallocPitch(state, &pitch, row, workspace_bytes / row + 1);
}

GEMMGATE_EXPORT const struct kernel_ops gemmgate_kernel = {
    .abi = GEMMGATE_ABI,
    .name = "workspace-pitch",
    .device = GEMM_CUDA,
    .accumulate = GEMM_F32,
    .tile = {},
    .can_do = nullptr,
    .setup = setup,
    .launch = slow_product,
    .teardown = nullptr,
    .explain = slow_explain,
};
