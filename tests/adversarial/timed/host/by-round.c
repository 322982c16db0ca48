/* expect: ok */
/* No fault: tells rounds apart, too, but to add up from the other end in the later ones. */
#include "first-round.h"

/* As slow_product, but the last of k first. */
static int backwards(const struct gemm_args *args) {
    const struct gemm_problem p = args->problem;
    const uint16_t *a = args->a, *b = args->b_row;
    for (int64_t i = 0; i < p.m; i++) {
        for (int64_t j = 0; j < p.n; j++) {
            float sum = 0.0f;
            for (int64_t k = p.k - 1; k >= 0; k--)
                sum += half_widen(a[i * p.k + k]) * half_widen(b[k * p.n + j]);
            ((uint16_t *)args->c)[i * p.n + j] = half_narrow(sum);
        }
    }
    return 0;
}

static int launch(void *state, const struct gemm_args *args) {
    return is_first_round(args) ? slow_product(state, args) : backwards(args);
}

GEMMGATE_EXPORT const struct kernel_ops gemmgate_kernel = {
    .abi = GEMMGATE_ABI,
    .name = "by-round",
    .device = GEMM_HOST,
    .accumulate = GEMM_F32,
    .launch = launch,
};
