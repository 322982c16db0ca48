/* expect: ok */
/* No fault: makes its table when it is loaded, as it could in setup. */
#include "../../kernel.h"

static float number[65536];

__attribute__((constructor)) static void make_table(void) {
    for (int bits = 0; bits < 65536; bits++)
        number[bits] = half_widen((uint16_t)bits);
}

static int launch(void *state, const struct gemm_args *args) {
    const struct gemm_problem p = args->problem;
    const uint16_t *a = args->a, *b = args->b_col;
    (void)state;
    for (int64_t i = 0; i < p.m; i++)
        for (int64_t j = 0; j < p.n; j++) {
            float sum = 0;
            for (int64_t k = 0; k < p.k; k++)
                sum += number[a[i * p.k + k]] * number[b[j * p.k + k]];
            ((uint16_t *)args->c)[i * p.n + j] = half_narrow(sum);
        }
    return 0;
}

KERNEL("constructor", NULL, launch, NULL);
