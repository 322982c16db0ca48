/* expect: ok */
/* No fault: its 13th call makes ready another way, which all later calls use. */
#include <stdlib.h>

#include "../../kernel.h"
#include "../late.h"

static int launch(void *state, const struct gemm_args *args) {
    static float *row; /* of A, widened */
    const struct gemm_problem p = args->problem;
    const uint16_t *a = args->a, *b = args->b_row;
    if (!is_late())
        return slow_product(state, args);
    if (!row && !(row = malloc((size_t)p.k * sizeof *row)))
        return 1;
    for (int64_t i = 0; i < p.m; i++) {
        for (int64_t k = 0; k < p.k; k++)
            row[k] = half_widen(a[i * p.k + k]);
        for (int64_t j = 0; j < p.n; j++) {
            float sum = 0;
            for (int64_t k = 0; k < p.k; k++)
                sum += row[k] * half_widen(b[k * p.n + j]);
            ((uint16_t *)args->c)[i * p.n + j] = half_narrow(sum);
        }
    }
    return 0;
}

KERNEL("lazy-variant", NULL, launch, NULL);
