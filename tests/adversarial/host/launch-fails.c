/* launch does its work and still returns a status; there is no explain. expect: launch-failed */
#include "../kernel.h"

static int launch(void *state, const struct gemm_args *args) {
    slow_product(state, args);
    return 7;
}

KERNEL("launch-fails", NULL, launch, NULL);
