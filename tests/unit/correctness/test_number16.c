/* Both elements by one face. What bfloat16 is to be is worked out here another way: by the distance
 * to its neighbours, in binary64. */
#include "correctness/numbers/number16.h"

#include <math.h>
#include <string.h>

#include "correctness/numbers/element_bits.h"
#include "tests/support/test.h"

static const enum element bf16 = ELEMENT_BF16;

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

/* The value of every bfloat16 by the definition: sign, 8 bits of exponent with bias 127, 7 of
 * significand. */
static double defined(uint32_t bits) {
    const int exponent = (int)(bits >> 7 & 255), significand = (int)(bits & 127);
    const double size = exponent == 255 ? (significand ? (double)NAN : (double)INFINITY)
                        : exponent == 0 ? ldexp(significand, -133)
                                        : ldexp(128 + significand, exponent - 134);
    return bits & 0x8000 ? -size : size;
}

TEST(every_number_is_as_defined) {
    static uint16_t all[65536];
    static float floats[65536];
    static uint16_t back[65536];
    for (uint32_t bits = 0; bits < 65536; bits++)
        all[bits] = (uint16_t)bits;
    number16_to_floats(bf16, all, floats, 65536);
    number16_from_floats(bf16, floats, back, 65536);
    for (uint32_t bits = 0; bits < 65536; bits++) {
        const double want = defined(bits), got = (double)number16_to_float(bf16, (uint16_t)bits);
        assert_int_equal(element_is_nan(bf16, (uint16_t)bits) != 0, isnan(want) != 0);
        assert_int_equal(bits_of(floats[bits]), bits << 16);
        if (isnan(want)) {
            assert_true(isnan(got));
            continue;
        }
        assert_true(got == want && signbit(got) == signbit(want));
        assert_int_equal(number16_from_float(bf16, (float)want), bits);
        assert_int_equal(back[bits], bits);
    }
}

/* The nearest of the finite numbers, of two the even one: found by trying those about it. */
static uint16_t nearest(float value) {
    const uint32_t about = bits_of(fabsf(value)) >> 16;
    uint32_t best = about;
    for (uint32_t bits = about > 0 ? about - 1 : 0; bits <= about + 1 && bits <= 0x7f80; bits++) {
        /* Infinity stands where the next number would be. */
        const double there = bits == 0x7f80 ? 0x1p128 : defined(bits);
        const double best_there = best == 0x7f80 ? 0x1p128 : defined(best);
        const double off = fabs((double)fabsf(value) - there);
        const double best_off = fabs((double)fabsf(value) - best_there);
        if (off < best_off || (off == best_off && bits % 2 == 0))
            best = bits;
    }
    return (uint16_t)(best | (signbit(value) ? 0x8000 : 0));
}

TEST(floats_are_rounded_to_the_nearest) {
    uint32_t random = 1;
    for (int i = 0; i < 2000000; i++) {
        random = random * 1664525 + 1013904223;
        /* Every other one has its lower half at or beside the middle between two numbers. */
        const uint32_t bits = i % 2 ? random : (random & 0xffff0000) | (0x7fff + random % 3);
        const float value = float_of(bits);
        if (!isnan(value) && !isinf(value))
            assert_int_equal(number16_from_float(bf16, value), nearest(value));
    }
    /* By hand: 1 + 2^-8 is between 1 and 1 + 2^-7, and 1 + 3 * 2^-8 between that and the next. */
    assert_int_equal(number16_from_float(bf16, 1 + 0x1p-8f), 0x3f80);
    assert_int_equal(number16_from_float(bf16, 1 + 3 * 0x1p-8f), 0x3f82);
    assert_int_equal(number16_from_float(bf16, 1 + 0x1p-8f + 0x1p-23f), 0x3f81);
    assert_int_equal(number16_from_float(bf16, 257), number16_from_float(bf16, 256));
    assert_int_equal(number16_from_float(bf16, 259), number16_from_float(bf16, 260));
    assert_true(number16_to_float(bf16, number16_from_float(bf16, 3.14159265f)) == 3.140625f);
    assert_int_equal(number16_from_float(bf16, NAN) & 0x7fc0, 0x7fc0);
    assert_true(element_is_nan(bf16, number16_from_float(bf16, float_of(0x7f800001))));
    assert_int_equal(number16_from_float(bf16, -INFINITY), 0xff80);
    assert_int_equal(number16_from_float(bf16, -0.0f), 0x8000);
}

TEST(what_is_too_large_is_infinite) {
    const struct {
        enum element element;
        double overflow, largest;
    } ends[] = {{ELEMENT_F16, 65520, 65504}, {ELEMENT_BF16, 0x1p128 - 0x1p119, 0x1p128 - 0x1p120}};
    for (int i = 0; i < 2; i++) {
        const enum element element = ends[i].element;
        const float overflow = number16_overflow(element);
        assert_true((double)overflow == ends[i].overflow);
        assert_int_equal(number16_from_float(element, overflow), element_infinity(element));
        assert_int_equal(number16_from_float(element, nextafterf(overflow, 0)),
                         element_largest(element));
        assert_true((double)number16_to_float(element, element_largest(element)) ==
                    ends[i].largest);
        assert_true(number16_ulp(element, overflow) == INFINITY);
    }
}

/* The distance to the next number of greater size. */
TEST(the_last_place_is_the_distance_to_the_next) {
    for (int element = 0; element < ELEMENT_COUNT; element++) {
        const enum element e = (enum element)element;
        for (uint16_t bits = 0; bits < element_largest(e); bits++) {
            const float value = number16_to_float(e, bits);
            const float next = number16_to_float(e, (uint16_t)(bits + 1));
            assert_true(number16_ulp(e, value) == next - value);
            assert_true(number16_ulp(e, -value) == next - value);
            assert_true(number16_ulp(e, value + (next - value) / 4) == next - value);
        }
        assert_true(isnan(number16_ulp(e, NAN)));
    }
    assert_true(number16_ulp(bf16, 0) == 0x1p-133f);
    assert_true(number16_ulp(bf16, 1) == 0x1p-7f);
    assert_true(number16_ulp(bf16, 300) == 2);
}

TEST(powers_have_their_bits) {
    for (int element = 0; element < ELEMENT_COUNT; element++) {
        const enum element e = (enum element)element;
        for (int exponent = -14; exponent <= 15; exponent++)
            assert_true(number16_to_float(e, element_power(e, exponent)) == ldexpf(1, exponent));
        assert_true(element_is_nan(e, ELEMENT_NAN));
        assert_false(element_is_nan(e, element_infinity(e)));
    }
    assert_int_equal(element_power(bf16, 0), 0x3f80);
    assert_int_equal(element_infinity(bf16), 0x7f80);
    assert_string_equal(element_list(1 << ELEMENT_BF16), "bf16");
    assert_string_equal(element_list(1 << ELEMENT_F16 | 1 << ELEMENT_BF16), "f16, bf16");
}
