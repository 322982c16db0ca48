/* The product is right, but the process ends as if all were well. expect: exited */
#include <stdlib.h>

#include "../kernel.h"

static int launch(void *state, const struct gemm_args *args) {
    slow_product(state, args);
    exit(0);
}

KERNEL("exit", NULL, launch, NULL);
