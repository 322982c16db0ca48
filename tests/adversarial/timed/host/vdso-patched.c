/* expect: forbidden|setup-failed */
/* Makes the system's own code of clocks writable, and changes a byte of it that nobody reads. */
#define _GNU_SOURCE

#include "../../host/slow.h"
#include "../vdso.h"

GEMMGATE_EXPORT const struct kernel_ops gemmgate_kernel = {
    .abi = GEMMGATE_ABI,
    .name = "vdso-patched",
    .device = GEMM_HOST,
    .accumulate = GEMM_F32,
    .setup = setup,
    .launch = slow_product,
};
