/* expect: ok */
/* No fault: its first call in a process starts the thread that makes the lower half of each
 * product, as OpenMP does. */
#include "pool.h"

static int launch(void *state, const struct gemm_args *args) {
    static int started;
    if (!started && start_thread() != 0)
        return 1;
    started = 1;
    return share_product(state, args);
}

KERNEL("pool-lazy", NULL, launch, NULL);
