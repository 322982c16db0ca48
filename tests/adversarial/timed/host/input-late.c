/* expect: input-changed|unstable */
/* Later A is changed once the product is done: whoever comes next gets other inputs. */
#include "../../host/slow.h"
#include "../late.h"

static int launch(void *state, const struct gemm_args *args) {
    const struct gemm_problem p = args->problem;
    slow_product(state, args);
    if (is_late())
        ((uint16_t *)args->a)[p.m * p.k / 2] = 0x7bff; /* 65504, which no input holds */
    return 0;
}

GEMMGATE_EXPORT const struct kernel_ops gemmgate_kernel = {
    .abi = GEMMGATE_ABI,
    .name = "input-late",
    .device = GEMM_HOST,
    .accumulate = GEMM_F32,
    .launch = launch,
};
