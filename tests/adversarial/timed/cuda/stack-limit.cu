/* Changes a limit of the device, which outlasts it. expect: unrecorded */
#include "../../kernel.h"

static int setup(const gemm_problem *, size_t, void **) {
    return cudaDeviceSetLimit(cudaLimitStackSize, 64 << 10);
}

KERNEL("stack-limit", setup, slow_product, NULL);
