#include "correctness/numbers/number16.h"

#include <math.h>
#include <string.h>

#include "correctness/numbers/element_bits.h"

static uint32_t bits_of(float value) {
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static float float_of(uint32_t bits) {
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

/* Moved 13 bits up, exponent and mantissa stand where binary32 has them; what is left is the
 * exponent's bias, 112 less in binary16. Exponent 31 becomes 255. A subnormal m * 2^-24 gets the
 * exponent of 2^-14 + m * 2^-24 and loses the 2^-14 again, exactly. Masks, so that compilers
 * vectorise the loop, and no subnormal operand, which would be slow. */
static inline float half_to_float(uint16_t half) {
    const uint32_t moved = (uint32_t)(half & 0x7fff) << 13;
    const uint32_t sign = (uint32_t)(half & 0x8000) << 16;
    const uint32_t infinite = -(uint32_t)(moved >= 0x0f800000);
    const uint32_t subnormal = -(uint32_t)(moved < 0x00800000);
    const uint32_t bias = (112u << 23) + (infinite & 112u << 23) + (subnormal & 1u << 23);
    const float size = float_of(moved + bias) - float_of(subnormal & 113u << 23);
    return float_of(bits_of(size) | sign);
}

static void half_to_floats(const uint16_t *bits, float *out, int64_t n) {
    for (int64_t i = 0; i < n; i++)
        out[i] = half_to_float(bits[i]);
}

/* Without branches, so that compilers vectorise the loop. */
static inline uint16_t half_from_float(float value) {
    const uint32_t sign = bits_of(value) >> 16 & 0x8000;
    const uint32_t size = bits_of(value) & 0x7fffffff;
    /* The last place of floats in [0.5, 1) is 2^-24, the unit of binary16 subnormals: the addition
     * rounds to it. */
    const uint32_t subnormal = bits_of(float_of(size) + 0.5f) - bits_of(0.5f);
    /* Ties to even: just under half a last place, and the last half to go with it. A carry out of
     * the mantissa is right in the exponent. */
    const uint32_t normal = (size - (112u << 23) + 0xfff + (size >> 13 & 1)) >> 13;
    const uint32_t finite = size < bits_of(0x1p-14f) ? subnormal : normal;
    const uint32_t number = size >= bits_of(65520.0f) ? 0x7c00 : finite;
    return (uint16_t)(sign | (size > 0x7f800000 ? 0x7e00 : number));
}

/* bfloat16 is the upper half of binary32: its subnormals, infinities and NaN are binary32's. */
static inline float brain_to_float(uint16_t bits) {
    return float_of((uint32_t)bits << 16);
}

/* Just under half a last place, and the last bit that is kept, carry where they should; a carry out
 * of the significand is right in the exponent, up to infinity. */
static inline uint16_t brain_from_float(float value) {
    const uint32_t bits = bits_of(value);
    const uint32_t rounded = bits + 0x7fff + (bits >> 16 & 1);
    return (uint16_t)((isnan(value) ? bits | 0x400000 : rounded) >> 16);
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

void number16_from_floats(enum element element, const float *value, uint16_t *out, int64_t n) {
    for (int64_t i = 0; element == ELEMENT_F16 && i < n; i++)
        out[i] = half_from_float(value[i]);
    for (int64_t i = 0; element == ELEMENT_BF16 && i < n; i++)
        out[i] = brain_from_float(value[i]);
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
