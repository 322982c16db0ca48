/* launch never returns. expect: timed-out */
#include "../kernel.h"

static int launch(void *state, const struct gemm_args *args) {
    for (volatile int waiting = 1; waiting;)
        ;
    return slow_product(state, args);
}

KERNEL("hang", NULL, launch, NULL);
