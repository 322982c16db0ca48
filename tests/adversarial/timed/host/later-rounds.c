/* Right in the round with the checks; in the processes of later rounds every second C is not
 * touched, after a dozen calls. expect: replayed */
#include "../late.h"
#include "first-round.h"

static int launch(void *state, const struct gemm_args *args) {
    static bool skip;
    const bool first = is_first_round(args), late = is_late();
    skip = !first && late && !skip;
    return skip ? 0 : slow_product(state, args);
}

GEMMGATE_EXPORT const struct kernel_ops gemmgate_kernel = {
    .abi = GEMMGATE_ABI,
    .name = "later-rounds",
    .device = GEMM_HOST,
    .accumulate = GEMM_F32,
    .launch = launch,
};
