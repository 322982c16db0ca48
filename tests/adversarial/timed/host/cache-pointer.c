/* expect: replayed */
/* Later, where A and B lie where they lay in the call before, C is a copy of that call's. */
#include "../late.h"
#include "keep.h"

static int launch(void *state, const struct gemm_args *args) {
    const struct kept *kept = state;
    if (is_late() && kept->a == args->a && kept->b == args->b_row)
        return replay(state, args);
    slow_product(NULL, args);
    keep(state, args);
    return 0;
}

GEMMGATE_EXPORT const struct kernel_ops gemmgate_kernel = {
    .abi = GEMMGATE_ABI,
    .name = "cache-pointer",
    .device = GEMM_HOST,
    .accumulate = GEMM_F32,
    .setup = keep_setup,
    .launch = launch,
    .teardown = free,
};
