/* expect: unrecorded */
/* Memory that it makes to be mapped is larger than its workspace. */
#include <cuda.h>

#include "../../kernel.h"

static int setup(const gemm_problem *, size_t workspace_bytes, void **state) {
    CUresult (*create)(CUmemGenericAllocationHandle *, size_t, const CUmemAllocationProp *,
                       unsigned long long) = nullptr;
    CUmemGenericAllocationHandle handle;
    CUmemAllocationProp what = {};
    const size_t pages = (size_t)2 << 20;
    (void)state;
    what.type = CU_MEM_ALLOCATION_TYPE_PINNED;
    what.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
    const cudaError_t status =
        cudaGetDriverEntryPointByVersion("cuMemCreate", (void **)&create, 12000, cudaEnableDefault);
    return status != cudaSuccess || !create
               ? 1
               : create(&handle, (workspace_bytes / pages + 2) * pages, &what, 0);
}

KERNEL("workspace-map", setup, slow_product, NULL);
