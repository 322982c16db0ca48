/* A product in slices of k, whose sums pass through `partial` on their way into C. */
#ifndef SPLIT_H
#define SPLIT_H

#include "../../kernel.h"

static inline int split_product(const struct gemm_args *args, int64_t slice,
                                float (*partial)(float)) {
    const struct gemm_problem p = args->problem;
    const uint16_t *a = args->a, *b = args->b_row;
    for (int64_t i = 0; i < p.m; i++) {
        for (int64_t j = 0; j < p.n; j++) {
            float sum = 0.0f;
            for (int64_t first = 0; first < p.k; first += slice) {
                const int64_t end = first + slice < p.k ? first + slice : p.k;
                float part = 0.0f;
                for (int64_t k = first; k < end; k++)
                    part += half_widen(a[i * p.k + k]) * half_widen(b[k * p.n + j]);
                sum += partial(part);
            }
            ((uint16_t *)args->c)[i * p.n + j] = half_narrow(sum);
        }
    }
    return 0;
}

static inline float through_half(float value) {
    return half_widen(half_narrow(value));
}

#endif
