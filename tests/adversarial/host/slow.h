/* A right and slow product, into which each kernel of this folder plants one fault. */
#ifndef SLOW_H
#define SLOW_H

#include <gemmgate.h>

#include "../../../candidates/examples/host/half.h"

/* C = A * B. Returns 0, as launch does. */
static inline int slow_product(void *state, const struct gemm_args *args) {
    const struct gemm_problem p = args->problem;
    const uint16_t *a = args->a, *b = args->b_row;
    uint16_t *c = args->c;
    (void)state;
    for (int64_t i = 0; i < p.m; i++) {
        for (int64_t j = 0; j < p.n; j++) {
            float sum = 0.0f;
            for (int64_t k = 0; k < p.k; k++)
                sum += half_widen(a[i * p.k + k]) * half_widen(b[k * p.n + j]);
            c[i * p.n + j] = half_narrow(sum);
        }
    }
    return 0;
}

#endif
