/* As stack-limit, but by the driver's own function, a warning only. expect: forbidden */
#include "../../cuda/slow.cuh"
#include "driver.cuh"

static int setup(const gemm_problem *, size_t, void **) {
    int (*set_limit)(int, size_t) = nullptr;
    const cudaError_t status = driver_function("cuCtxSetLimit", &set_limit);
    return status == cudaSuccess ? set_limit(0, 64 << 10) : (int)status; /* CU_LIMIT_STACK_SIZE */
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
