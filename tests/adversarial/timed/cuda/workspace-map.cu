/* expect: forbidden */
/* Memory that it makes to be mapped is larger than its workspace. Found without a symbol. */
#include <cuda.h>

#include "../../cuda/slow.cuh"
#include "driver.cuh"

static int setup(const gemm_problem *, size_t workspace_bytes, void **state) {
    CUresult (*create)(CUmemGenericAllocationHandle *, size_t, const CUmemAllocationProp *,
                       unsigned long long) = nullptr;
    CUmemGenericAllocationHandle handle;
    CUmemAllocationProp what = {};
    const size_t pages = (size_t)2 << 20;
    (void)state;
    what.type = CU_MEM_ALLOCATION_TYPE_PINNED;
    what.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
    const cudaError_t status = driver_function("cuMemCreate", &create);
    return status != cudaSuccess || !create
               ? 1
               : create(&handle, (workspace_bytes / pages + 2) * pages, &what, 0);
}

GEMMGATE_EXPORT const struct kernel_ops gemmgate_kernel = {
    .abi = GEMMGATE_ABI,
    .name = "workspace-map",
    .device = GEMM_CUDA,
    .accumulate = GEMM_F32,
    .tile = {},
    .can_do = nullptr,
    .setup = setup,
    .launch = slow_product,
    .teardown = nullptr,
    .explain = slow_explain,
};
