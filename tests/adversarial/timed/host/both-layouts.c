/* No fault: needs both copies of B, which the column `layout` must say. expect: ok */
#include "../../host/slow.h"

static int launch(void *state, const struct gemm_args *args) {
    const struct gemm_problem p = args->problem;
    const uint16_t *a = args->a, *row = args->b_row, *col = args->b_col;
    (void)state;
    for (int64_t i = 0; i < p.m; i++) {
        for (int64_t j = 0; j < p.n; j++) {
            float sum = 0.0f;
            for (int64_t k = 0; k < p.k; k++)
                sum += half_widen(a[i * p.k + k]) *
                       half_widen(k % 2 ? row[k * p.n + j] : col[j * p.k + k]);
            ((uint16_t *)args->c)[i * p.n + j] = half_narrow(sum);
        }
    }
    return 0;
}

GEMMGATE_EXPORT const struct kernel_ops gemmgate_kernel = {
    .abi = GEMMGATE_ABI,
    .name = "both-layouts",
    .device = GEMM_HOST,
    .accumulate = GEMM_F32,
    .launch = launch,
};
