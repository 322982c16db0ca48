/* Bits of some numbers in each element: what host and device compile alike. Valid C11 and CUDA C++.
 */
#ifndef CORRECTNESS_NUMBERS_ELEMENT_BITS_H
#define CORRECTNESS_NUMBERS_ELEMENT_BITS_H

#include <stdint.h>

#include "bench/base/element.h"
#include "correctness/numbers/philox_words.h" /* before any other use of Random123 */

R123_CUDA_DEVICE static inline int element_digits(enum element element) {
    switch (element) {
#define X(id, word, type, digits, exponent)                                                        \
    case id:                                                                                       \
        return digits;
        ELEMENTS(X)
#undef X
    default:
        return 8; /* there is no other */
    }
}

R123_CUDA_DEVICE static inline int element_exponent(enum element element) {
    switch (element) {
#define X(id, word, type, digits, exponent)                                                        \
    case id:                                                                                       \
        return exponent;
        ELEMENTS(X)
#undef X
    default:
        return 0;
    }
}

/* 2^exponent, of a normal number. */
R123_CUDA_DEVICE static inline uint16_t element_power(enum element element, int exponent) {
    return (uint16_t)((uint32_t)(exponent + element_exponent(element))
                      << (element_digits(element) - 1));
}

R123_CUDA_DEVICE static inline uint16_t element_infinity(enum element element) {
    return element_power(element, element_exponent(element) + 1);
}

/* The largest number. */
R123_CUDA_DEVICE static inline uint16_t element_largest(enum element element) {
    return (uint16_t)(element_infinity(element) - 1);
}

R123_CUDA_DEVICE static inline int element_is_nan(enum element element, uint16_t bits) {
    return (bits & 0x7fff) > element_infinity(element);
}

/* The quiet NaN that poisons C and the guard zones, of either element. */
#define ELEMENT_NAN 0xffffu

/* An element of C is coarse if it is further from the reference than this many of the reference's
 * last places. The nearest number is half a last place away at most. A larger distance may come of
 * accumulation: a whole last place of binary16, which is an eighth of one of bfloat16. So 0.75
 * leaves accumulation more of bfloat16 than 1.5 does of binary16; and it finds a quarter of the
 * elements where binary32 sums are cut off and not rounded, which no library does.
 *
 * When two products are compared with each other, twice as many are allowed: two products that are
 * not coarse beside the exact one are then not coarse beside each other. */
R123_CUDA_DEVICE static inline float element_coarse(enum element element) {
    return element == ELEMENT_BF16 ? 0.75f : 1.5f;
}

#endif
