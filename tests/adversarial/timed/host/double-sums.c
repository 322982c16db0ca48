/* expect: ok */
/* No fault: sums are kept in more than it claims. */
#include "../../host/slow.h"

static int launch(void *state, const struct gemm_args *args) {
    const struct gemm_problem p = args->problem;
    const uint16_t *a = args->a, *b = args->b_row;
    (void)state;
    for (int64_t i = 0; i < p.m; i++) {
        for (int64_t j = 0; j < p.n; j++) {
            double sum = 0.0;
            for (int64_t k = 0; k < p.k; k++)
                sum += (double)half_widen(a[i * p.k + k]) * (double)half_widen(b[k * p.n + j]);
            ((uint16_t *)args->c)[i * p.n + j] = half_narrow((float)sum);
        }
    }
    return 0;
}

GEMMGATE_EXPORT const struct kernel_ops gemmgate_kernel = {
    .abi = GEMMGATE_ABI,
    .name = "double-sums",
    .device = GEMM_HOST,
    .accumulate = GEMM_F32,
    .launch = launch,
};
