/* A right and slow product, into which each kernel of this folder plants one fault. */
#ifndef SLOW_H
#define SLOW_H

#include <gemmgate.h>

#include "../../../candidates/examples/host/half.h"

#define SLOW_WIDTH 64 /* columns of C at a time, which a compiler can make vectors of */

/* C = A * B. Returns 0, as launch does. */
static inline int slow_product(void *state, const struct gemm_args *args) {
    const struct gemm_problem p = args->problem;
    const uint16_t *a = args->a, *b = args->b_row;
    uint16_t *c = args->c;
    (void)state;
    for (int64_t i = 0; i < p.m; i++) {
        for (int64_t j = 0; j < p.n; j += SLOW_WIDTH) {
            const int64_t width = p.n - j < SLOW_WIDTH ? p.n - j : SLOW_WIDTH;
            float sums[SLOW_WIDTH] = {0.0f};
            for (int64_t k = 0; k < p.k; k++) {
                const float element = half_widen(a[i * p.k + k]);
                for (int64_t l = 0; l < width; l++)
                    sums[l] += element * half_widen(b[k * p.n + j + l]);
            }
            for (int64_t l = 0; l < width; l++)
                c[i * p.n + j + l] = half_narrow(sums[l]);
        }
    }
    return 0;
}

#endif
