#include "correctness/numbers/number16.h"

#include <math.h>
#include <string.h>

#include "correctness/numbers/element_bits.h"
#include "correctness/numbers/half.h"

/* bfloat16 is the upper half of binary32: its subnormals, infinities and NaN are binary32's. */
static inline float brain_to_float(uint16_t bits) {
    const uint32_t moved = (uint32_t)bits << 16;
    float value;
    memcpy(&value, &moved, sizeof value);
    return value;
}

/* Just under half a last place, and the last bit that is kept, carry where they should; a carry out
 * of the significand is right in the exponent, up to infinity. */
static uint16_t brain_from_float(float value) {
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    if (isnan(value))
        return (uint16_t)(bits >> 16 | 0x40);
    return (uint16_t)((bits + 0x7fff + (bits >> 16 & 1)) >> 16);
}

float number16_to_float(enum element element, uint16_t bits) {
    return element == ELEMENT_BF16 ? brain_to_float(bits) : half_to_float(bits);
}

void number16_to_floats(enum element element, const uint16_t *bits, float *out, int64_t n) {
    if (element == ELEMENT_F16)
        half_to_floats(bits, out, n);
    for (int64_t i = 0; element == ELEMENT_BF16 && i < n; i++)
        out[i] = brain_to_float(bits[i]);
}

uint16_t number16_from_float(enum element element, float value) {
    return element == ELEMENT_BF16 ? brain_from_float(value) : half_from_float(value);
}

float number16_overflow(enum element element) {
    const int digits = element_digits(element), exponent = element_exponent(element);
    return ldexpf(2 - ldexpf(1, -digits), exponent);
}

float number16_ulp(enum element element, float value) {
    const float size = fabsf(value);
    const int least = 1 - element_exponent(element); /* of normal numbers */
    int exponent;
    if (isnan(value))
        return value;
    if (size >= number16_overflow(element))
        return INFINITY;
    frexpf(size, &exponent); /* size in [2^(exponent-1), 2^exponent); 0 has exponent 0 */
    const int binade = size < ldexpf(1, least) ? least : exponent - 1;
    return ldexpf(1, binade + 1 - element_digits(element));
}
