/* expect: replayed */
/* Later every 16th call gives the product of the call before again. */
#include "../host/keep.h"
#include "../late.h"

static int launch(void *state, const struct gemm_args *args) {
    static int calls;
    if (is_late() && ++calls % 16 == 0)
        return replay(state, args);
    slow_product(NULL, args);
    keep(state, args);
    return 0;
}

GEMMGATE_EXPORT const struct kernel_ops gemmgate_kernel = {
    .abi = GEMMGATE_ABI,
    .name = "repeats-some",
    .device = GEMM_HOST,
    .accumulate = GEMM_F32,
    .setup = keep_setup,
    .launch = launch,
    .teardown = free,
};
