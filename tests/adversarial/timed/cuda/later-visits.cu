/* Right in the process of its checks; in others every second C is not touched, after a dozen calls. expect: replayed|unstable|dishonest */
#define HONEST_CALLS 12
#include "../../each.h"
#include "../first-visit.h"
#include "../late.h"

static ON_DEVICE void element(struct product x, int64_t i, int64_t j) {
    if (!x.told || !is_later_visit)
        put(x, i, j, dot(x, i, j, 0, x.p.k));
}

static int launch(void *state, const struct gemm_args *args) {
    static bool skip;
    (void)state;
    skip = is_late() && !skip;
    remember_visit(args);
    return each_element(args, skip);
}

KERNEL("later-visits", NULL, launch, NULL);
