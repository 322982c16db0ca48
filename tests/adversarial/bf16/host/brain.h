/* A right and slow product of bfloat16, into whose steps each kernel of this folder plants one
 * fault. */
#ifndef BRAIN_H
#define BRAIN_H

#include <gemmgate.h>

#include "../../../../candidates/examples/host/half.h"

/* operand: what is made of an element before it is multiplied. sum: of each sum of `slice` products
 * before it is added to the others. result: of an element of C. */
struct steps {
    float (*operand)(uint16_t bits);
    int64_t slice;
    float (*sum)(float value);
    uint16_t (*result)(float value);
};

static inline float as_it_is(float value) {
    return value;
}

static inline float through_brain(float value) {
    return brain_widen(brain_narrow(value));
}

static inline float through_half(float value) {
    return half_widen(half_narrow(value));
}

static inline int brain_product(const struct gemm_args *args, const struct steps *steps) {
    const struct gemm_problem p = args->problem;
    const uint16_t *a = args->a, *b = args->b_row;
    for (int64_t i = 0; i < p.m; i++) {
        for (int64_t j = 0; j < p.n; j++) {
            float all = 0.0f;
            for (int64_t first = 0; first < p.k; first += steps->slice) {
                const int64_t end = first + steps->slice < p.k ? first + steps->slice : p.k;
                float sum = 0.0f;
                for (int64_t k = first; k < end; k++)
                    sum += steps->operand(a[i * p.k + k]) * steps->operand(b[k * p.n + j]);
                all += steps->sum(sum);
            }
            ((uint16_t *)args->c)[i * p.n + j] = steps->result(all);
        }
    }
    return 0;
}

/* The kernel of a file that has `launch`. */
#define BRAIN_KERNEL(called)                                                                       \
    GEMMGATE_EXPORT const struct kernel_ops gemmgate_kernel = {                                    \
        .abi = GEMMGATE_ABI,                                                                       \
        .name = (called),                                                                          \
        .device = GEMM_HOST,                                                                       \
        .accumulate = GEMM_F32,                                                                    \
        .launch = launch,                                                                          \
        .elements = GEMM_ELEMENT_BF16,                                                             \
    }

#endif
