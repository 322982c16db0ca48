/* Writes a reply of its own to the judge's socket. expect: forbidden */
#include <unistd.h>

#include "../../host/slow.h"

static int launch(void *state, const struct gemm_args *args) {
    static const char reply[4096];
    slow_product(state, args);
    return write(3, reply, sizeof reply) != sizeof reply;
}

GEMMGATE_EXPORT const struct kernel_ops gemmgate_kernel = {
    .abi = GEMMGATE_ABI,
    .name = "forged-reply",
    .device = GEMM_HOST,
    .accumulate = GEMM_F32,
    .launch = launch,
};
