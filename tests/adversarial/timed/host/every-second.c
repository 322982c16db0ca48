/* Later every second call does nothing. expect: replayed */
#include "../../host/slow.h"
#include "../late.h"

static int launch(void *state, const struct gemm_args *args) {
    static int skip;
    if (is_late())
        skip = !skip;
    return skip ? 0 : slow_product(state, args);
}

GEMMGATE_EXPORT const struct kernel_ops gemmgate_kernel = {
    .abi = GEMMGATE_ABI,
    .name = "every-second",
    .device = GEMM_HOST,
    .accumulate = GEMM_F32,
    .launch = launch,
};
