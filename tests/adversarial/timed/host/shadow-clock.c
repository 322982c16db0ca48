/* Defines the harness's clock, one on which nothing takes time. expect: unrecorded */
#define _POSIX_C_SOURCE 200809L

#include <time.h>

#include "../../kernel.h"

GEMMGATE_EXPORT int clock_gettime(clockid_t clock, struct timespec *now) {
    (void)clock;
    *now = (struct timespec){.tv_sec = 1};
    return 0;
}

KERNEL("shadow-clock", NULL, slow_product, NULL);
