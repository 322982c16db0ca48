/* As stack-limit, but by the driver's own function, a warning only. expect: unrecorded */
#include "../../kernel.h"
#include "driver.cuh"

static int setup(const gemm_problem *, size_t, void **) {
    int (*set_limit)(int, size_t) = nullptr;
    const cudaError_t status = driver_function("cuCtxSetLimit", &set_limit);
    return status == cudaSuccess ? set_limit(0, 64 << 10) : (int)status; /* CU_LIMIT_STACK_SIZE */
}

KERNEL("stack-limit-quiet", setup, slow_product, NULL);
