/* expect: precision */
/* Claims f32, but the sum of the first 16 of k is rounded to binary16 before the rest is added,
 * which the bound on deviations does not see. */
#include "../../host/slow.h"

static int launch(void *state, const struct gemm_args *args) {
    const struct gemm_problem p = args->problem;
    const uint16_t *a = args->a, *b = args->b_row;
    const int64_t end = p.k < 16 ? p.k : 16;
    (void)state;
    for (int64_t i = 0; i < p.m; i++) {
        for (int64_t j = 0; j < p.n; j++) {
            float sum = 0.0f, rest = 0.0f;
            for (int64_t k = 0; k < end; k++)
                sum += half_widen(a[i * p.k + k]) * half_widen(b[k * p.n + j]);
            for (int64_t k = end; k < p.k; k++)
                rest += half_widen(a[i * p.k + k]) * half_widen(b[k * p.n + j]);
            ((uint16_t *)args->c)[i * p.n + j] = half_narrow(half_widen(half_narrow(sum)) + rest);
        }
    }
    return 0;
}

GEMMGATE_EXPORT const struct kernel_ops gemmgate_kernel = {
    .abi = GEMMGATE_ABI,
    .name = "f16-slice",
    .device = GEMM_HOST,
    .accumulate = GEMM_F32,
    .launch = launch,
};
