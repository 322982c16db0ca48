/* Later C is a copy of the last honest call's. expect: replayed */
#include "../late.h"
#include "keep.h"

static int launch(void *state, const struct gemm_args *args) {
    if (is_late())
        return replay(state, args);
    slow_product(NULL, args);
    keep(state, args);
    return 0;
}

GEMMGATE_EXPORT const struct kernel_ops gemmgate_kernel = {
    .abi = GEMMGATE_ABI,
    .name = "replay",
    .device = GEMM_HOST,
    .accumulate = GEMM_F32,
    .setup = keep_setup,
    .launch = launch,
    .teardown = free,
};
