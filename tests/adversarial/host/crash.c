/* A write through a null pointer: SIGSEGV. expect: crashed */
#include "../kernel.h"

static int launch(void *state, const struct gemm_args *args) {
    volatile uint16_t *volatile nowhere = NULL;
    *nowhere = 1;
    return slow_product(state, args);
}

KERNEL("crash", NULL, launch, NULL);
