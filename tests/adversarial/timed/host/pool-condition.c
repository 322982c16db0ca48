/* expect: ok */
/* No fault: a thread that setup has started makes the lower half of each product, and sleeps on a
 * condition variable between calls. */
#include "pool.h"

static int setup(const struct gemm_problem *problem, size_t workspace_bytes, void **state) {
    (void)problem;
    (void)workspace_bytes;
    (void)state;
    return start_thread();
}

KERNEL("pool-condition", setup, share_product, NULL);
