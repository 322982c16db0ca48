/* Right in the round with the checks; in the processes of later rounds every second C is not
 * touched, after a dozen calls. expect: replayed */
#include "../first-round.h"
#include "../late.h"

static int launch(void *state, const struct gemm_args *args) {
    static bool skip;
    remember_round(args);
    skip = is_late() && !skip;
    return skip && is_later_round ? 0 : slow_product(state, args);
}

KERNEL("later-rounds", NULL, launch, NULL);
