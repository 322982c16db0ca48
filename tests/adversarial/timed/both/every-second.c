/* Later every second call does nothing. expect: replayed */
#include "../../kernel.h"
#include "../late.h"

static int launch(void *state, const struct gemm_args *args) {
    static bool skip;
    skip = is_late() && !skip;
    return skip ? 0 : slow_product(state, args);
}

KERNEL("every-second", NULL, launch, NULL);
