/* Exact for zeros and ones, but inputs lose 4 of their 10 mantissa bits. expect: deviates */
#include "../kernel.h"

static float coarse(uint16_t half) {
    return half_widen(half & 0xfff0);
}

static int launch(void *state, const struct gemm_args *args) {
    const struct gemm_problem p = args->problem;
    const uint16_t *a = args->a, *b = args->b_row;
    (void)state;
    for (int64_t i = 0; i < p.m; i++) {
        for (int64_t j = 0; j < p.n; j++) {
            float sum = 0.0f;
            for (int64_t k = 0; k < p.k; k++)
                sum += coarse(a[i * p.k + k]) * coarse(b[k * p.n + j]);
            ((uint16_t *)args->c)[i * p.n + j] = half_narrow(sum);
        }
    }
    return 0;
}

KERNEL("deviates", NULL, launch, NULL);
