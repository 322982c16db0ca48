/* expect: precision|deviates */
/* Claims f32, but every partial sum is rounded to binary16. The bound on deviations may see it
 * first. */
#include "../../kernel.h"

static int launch(void *state, const struct gemm_args *args) {
    const struct gemm_problem p = args->problem;
    const uint16_t *a = args->a, *b = args->b_row;
    (void)state;
    for (int64_t i = 0; i < p.m; i++) {
        for (int64_t j = 0; j < p.n; j++) {
            uint16_t sum = 0;
            for (int64_t k = 0; k < p.k; k++)
                sum = half_narrow(half_widen(sum) +
                                  half_widen(a[i * p.k + k]) * half_widen(b[k * p.n + j]));
            ((uint16_t *)args->c)[i * p.n + j] = sum;
        }
    }
    return 0;
}

KERNEL("f16-accumulate", NULL, launch, NULL);
