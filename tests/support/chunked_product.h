/* For tests: a reference product as the makers promise it (correctness/numbers/reference_chunk.h),
 * on the host. */
#ifndef TESTS_SUPPORT_CHUNKED_PRODUCT_H
#define TESTS_SUPPORT_CHUNKED_PRODUCT_H

#include <stdint.h>

#include "bench/base/shape.h"
#include "correctness/numbers/number16.h"
#include "correctness/numbers/reference_chunk.h"

/* a: m x k, b: k x n, c: m x n, all row-major. */
static inline void chunked_product(enum element element, struct shape s, const uint16_t *a,
                                   const uint16_t *b, float *c) {
    for (int64_t i = 0; i < s.m; i++)
        for (int64_t j = 0; j < s.n; j++) {
            float high = 0, low = 0;
            for (int64_t l = 0; l < s.k;) {
                float sum = 0;
                for (const int64_t end = l + REFERENCE_CHUNK; l < end && l < s.k; l++)
                    sum += number16_to_float(element, a[i * s.k + l]) *
                           number16_to_float(element, b[l * s.n + j]);
                const float next = high + sum, added = next - high;
                low += (high - (next - added)) + (sum - added);
                high = next;
            }
            c[i * s.n + j] = high + low;
        }
}

#endif
