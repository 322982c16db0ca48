/* expect: setup-failed */
/* Has the thread that times it and the libraries run only when nobody else wants to. */
#define _GNU_SOURCE

#include "../idles.h"
#include "../../host/slow.h"

GEMMGATE_EXPORT const struct kernel_ops gemmgate_kernel = {
    .abi = GEMMGATE_ABI,
    .name = "idles",
    .device = GEMM_HOST,
    .accumulate = GEMM_F32,
    .setup = setup,
    .launch = slow_product,
};
