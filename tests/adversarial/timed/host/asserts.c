/* No fault: can end its process, too, but only where something is wrong. expect: ok */
#include <assert.h>
#include <stdlib.h>

#include "../../host/slow.h"

static int launch(void *state, const struct gemm_args *args) {
    assert(args->a && args->b_row && args->c);
    if (args->problem.accumulate != GEMM_F32)
        abort();
    return slow_product(state, args);
}

GEMMGATE_EXPORT const struct kernel_ops gemmgate_kernel = {
    .abi = GEMMGATE_ABI,
    .name = "asserts",
    .device = GEMM_HOST,
    .accumulate = GEMM_F32,
    .launch = launch,
};
