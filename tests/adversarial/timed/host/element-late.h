/* A right product, after which later the element PLACE of C, of the problem p, is ELEMENT
 * (binary16). */
#include "../../host/slow.h"
#include "../late.h"

static int launch(void *state, const struct gemm_args *args) {
    const struct gemm_problem p = args->problem;
    slow_product(state, args);
    if (is_late())
        ((uint16_t *)args->c)[PLACE] = ELEMENT;
    return 0;
}

GEMMGATE_EXPORT const struct kernel_ops gemmgate_kernel = {
    .abi = GEMMGATE_ABI,
    .name = NAME,
    .device = GEMM_HOST,
    .accumulate = GEMM_F32,
    .launch = launch,
};
