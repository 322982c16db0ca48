/* expect: forbidden */
/* Its scratch memory, from a pool, is a MiB larger than its workspace. */

#include "../../cuda/slow.cuh"

static int setup(const gemm_problem *, size_t workspace_bytes, void **state) {
    cudaMemPool_t pool;
    int device;
    cudaError_t status = cudaGetDevice(&device);
    if (status == cudaSuccess)
        status = cudaDeviceGetDefaultMemPool(&pool, device);
    if (status == cudaSuccess)
        status = cudaMallocFromPoolAsync(state, workspace_bytes + ((size_t)1 << 20), pool, 0);
    return status;
}

GEMMGATE_EXPORT const struct kernel_ops gemmgate_kernel = {
    .abi = GEMMGATE_ABI,
    .name = "workspace-pool",
    .device = GEMM_CUDA,
    .accumulate = GEMM_F32,
    .tile = {},
    .can_do = nullptr,
    .setup = setup,
    .launch = slow_product,
    .teardown = nullptr,
    .explain = slow_explain,
};
