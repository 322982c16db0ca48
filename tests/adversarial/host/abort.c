/* The process aborts, as an uncaught exception would make it. expect: crashed */
#include <stdlib.h>

#include "../kernel.h"

static int launch(void *state, const struct gemm_args *args) {
    (void)state;
    (void)args;
    abort();
}

KERNEL("abort", NULL, launch, NULL);
