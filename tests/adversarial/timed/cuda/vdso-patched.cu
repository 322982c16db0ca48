/* expect: forbidden|setup-failed */
/* Makes the system's own code of clocks writable, and changes a byte of it that nobody reads. */
#include "../../cuda/slow.cuh"
#include "../vdso.h"

GEMMGATE_EXPORT const struct kernel_ops gemmgate_kernel = {
    .abi = GEMMGATE_ABI,
    .name = "vdso-patched",
    .device = GEMM_CUDA,
    .accumulate = GEMM_F32,
    .tile = {},
    .can_do = nullptr,
    .setup = setup,
    .launch = slow_product,
    .teardown = nullptr,
    .explain = slow_explain,
};
