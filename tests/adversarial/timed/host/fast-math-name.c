/* expect: forbidden */
/* A constructor of its own that is named as the one that -ffast-math links. */
#include "../../host/slow.h"

static volatile int loaded;

__attribute__((constructor)) static void set_fast_math(void) {
    loaded = 1;
}

GEMMGATE_EXPORT const struct kernel_ops gemmgate_kernel = {
    .abi = GEMMGATE_ABI,
    .name = "fast-math-name",
    .device = GEMM_HOST,
    .accumulate = GEMM_F32,
    .launch = slow_product,
};
