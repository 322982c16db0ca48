/* expect: unrecorded */
/* Its scratch memory, from a pool, is a MiB larger than its workspace. */

#include "../../kernel.h"

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

KERNEL("workspace-pool", setup, slow_product, NULL);
