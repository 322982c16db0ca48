/* binary16 to float and back in portable C: integer arithmetic and one multiplication, no branches,
 * so that a loop over either can be vectorised. A set may keep headers beside its sources. */
#ifndef HALF_H
#define HALF_H

#include <stdint.h>
#include <string.h>

static inline float half_widen(uint16_t half) {
    /* The bits moved into float's place have the exponent off by 127 - 15; the product puts it
     * right, for subnormals too, exactly. Only infinity and NaN come out finite. */
    uint32_t bits = (uint32_t)(half & 0x7fff) << 13;
    float value;
    memcpy(&value, &bits, sizeof value);
    value *= 0x1p112f;
    memcpy(&bits, &value, sizeof bits);
    bits |= (half & 0x7c00) == 0x7c00 ? 0x7f800000u : 0;
    bits |= (uint32_t)(half & 0x8000) << 16;
    memcpy(&value, &bits, sizeof value);
    return value;
}

/* To nearest, ties to even. */
static inline uint16_t half_narrow(float value) {
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    uint32_t sign = bits >> 16 & 0x8000;
    bits &= 0x7fffffff;
    /* Subnormal: in [1/2, 1) floats are 2^-24 apart, as binary16's subnormals are, so that the
     * addition rounds and leaves the answer in the low bits. */
    float shifted;
    memcpy(&shifted, &bits, sizeof shifted);
    shifted += 0.5f;
    uint32_t small;
    memcpy(&small, &shifted, sizeof small);
    small -= 0x3f000000;
    /* Normal: half of the dropped part less one, plus the last kept bit, carries where it should.
     */
    uint32_t large = (bits + 0xfff + (bits >> 13 & 1) - (112u << 23)) >> 13;
    uint32_t half = bits < 0x38800000 ? small : large;
    half = bits >= 0x477ff000 ? 0x7c00 : half;
    half = bits > 0x7f800000 ? 0x7e00 : half;
    return (uint16_t)(sign | half);
}

#endif
