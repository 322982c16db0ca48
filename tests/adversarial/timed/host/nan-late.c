/* Later one element of C is NaN. expect: unstable */
#include "../../host/slow.h"
#include "../late.h"

static int launch(void *state, const struct gemm_args *args) {
    const struct gemm_problem p = args->problem;
    slow_product(state, args);
    if (is_late())
        ((uint16_t *)args->c)[p.m * p.n / 2] = 0x7e00;
    return 0;
}

GEMMGATE_EXPORT const struct kernel_ops gemmgate_kernel = {
    .abi = GEMMGATE_ABI,
    .name = "nan-late",
    .device = GEMM_HOST,
    .accumulate = GEMM_F32,
    .launch = launch,
};
