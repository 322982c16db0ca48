/* A second process outlives the call, with the judge's socket in hand. expect: forbidden */
#define _POSIX_C_SOURCE 200809L

#include <unistd.h>

#include "../../host/slow.h"

static int launch(void *state, const struct gemm_args *args) {
    if (fork() == 0) {
        sleep(60);
        _exit(0);
    }
    return slow_product(state, args);
}

GEMMGATE_EXPORT const struct kernel_ops gemmgate_kernel = {
    .abi = GEMMGATE_ABI,
    .name = "fork",
    .device = GEMM_HOST,
    .accumulate = GEMM_F32,
    .launch = launch,
};
