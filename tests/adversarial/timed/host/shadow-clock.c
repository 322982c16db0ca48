/* Defines the harness's clock, one on which nothing takes time. expect: forbidden */
#define _POSIX_C_SOURCE 200809L

#include <time.h>

#include "../../host/slow.h"

GEMMGATE_EXPORT int clock_gettime(clockid_t clock, struct timespec *now) {
    (void)clock;
    *now = (struct timespec){.tv_sec = 1};
    return 0;
}

GEMMGATE_EXPORT const struct kernel_ops gemmgate_kernel = {
    .abi = GEMMGATE_ABI,
    .name = "shadow-clock",
    .device = GEMM_HOST,
    .accumulate = GEMM_F32,
    .launch = slow_product,
};
