/* Right in the process of its checks; in others every second C is not touched, after a dozen calls. expect: replayed */
#include "../first-visit.h"
#include "../late.h"

static int launch(void *state, const struct gemm_args *args) {
    static bool skip;
    remember_visit(args);
    skip = is_late() && !skip;
    return skip && is_later_visit ? 0 : slow_product(state, args);
}

KERNEL("later-visits", NULL, launch, NULL);
