/* No fault: can end its process, too, but only where something is wrong. expect: ok */
#include <assert.h>
#include <stdlib.h>

#include "../../kernel.h"

static int launch(void *state, const struct gemm_args *args) {
    assert(args->a && args->b_row && args->c);
    if (args->problem.accumulate != GEMM_F32)
        abort();
    return slow_product(state, args);
}

KERNEL("asserts", NULL, launch, NULL);
