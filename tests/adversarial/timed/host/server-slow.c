/* expect: ok */
/* No fault that could be refused: sleeps 50 ms where its last call was over 20 ms ago, as with
 * --mode server --qps 20, whose times must show it. */
#define _POSIX_C_SOURCE 200809L

#include <time.h>

#include "../../kernel.h"

static int64_t now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec * INT64_C(1000000000) + t.tv_nsec;
}

static int launch(void *state, const struct gemm_args *args) {
    static int64_t last;
    if (now() - last > 20000000)
        nanosleep(&(struct timespec){.tv_nsec = 50000000}, NULL);
    slow_product(state, args);
    last = now();
    return 0;
}

KERNEL("server-slow", NULL, launch, NULL);
