/* expect: ok */
/* Has a library make each of its products twice, later. On a GPU a warning says by how much its
 * calls take longer than its work on the stage; on the host nothing looks for that. */
#define _GNU_SOURCE 1
#define HONEST_CALLS 12

#include "../../kernel.h"
#include "../late.h"
#include "../slows.h"

static int launch(void *state, const struct gemm_args *args) {
    if (is_late() && !launch_once)
        slow_a_library();
    return slow_product(state, args);
}

KERNEL("slows-library", NULL, launch, NULL);
