/* expect: replayed */
/* Later every 16th call gives the product of the call before again. */
#include "../keep.h"
#include "../late.h"

static int launch(void *state, const struct gemm_args *args) {
    static int calls;
    if (is_late() && ++calls % 16 == 0)
        return replay(state, args);
    slow_product(NULL, args);
    keep(state, args);
    return 0;
}

KERNEL("repeats-some", keep_setup, launch, keep_teardown);
