/* expect: ok */
/* Has a library make each of its products twice, later, and so gains by call. By device and stream
 * it gains nothing on a GPU: the stage has a library of its own. */
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
