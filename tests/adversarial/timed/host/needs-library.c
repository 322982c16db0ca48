/* expect: ok */
/* No fault: needs a library, too, that of C's mathematics. */
#include <math.h>

#include "../../kernel.h"

static int launch(void *state, const struct gemm_args *args) {
    const struct gemm_problem p = args->problem;
    const uint16_t *a = args->a, *b = args->b_col;
    (void)state;
    for (int64_t i = 0; i < p.m; i++)
        for (int64_t j = 0; j < p.n; j++) {
            float sum = 0;
            for (int64_t k = 0; k < p.k; k++)
                sum = fmaf(half_widen(a[i * p.k + k]), half_widen(b[j * p.k + k]), sum);
            ((uint16_t *)args->c)[i * p.n + j] = half_narrow(sum);
        }
    return 0;
}

KERNEL("needs-library", NULL, launch, NULL);
