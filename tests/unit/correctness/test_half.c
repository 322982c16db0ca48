
#include <math.h>
#include <string.h>

#include "correctness/numbers/element_bits.h"
#include "correctness/numbers/number16.h"
#include "tests/support/test.h"

#define HALF_INFINITY 0x7c00
#define HALF_LARGEST 0x7bff

/* What IEEE 754-2019, 3.4 says of binary16, by ldexp. */
static double by_definition(uint16_t bits) {
    const int exponent = bits >> 10 & 31, mantissa = bits & 1023;
    const double size = exponent == 0    ? ldexp(mantissa, -24)
                        : exponent == 31 ? (mantissa ? NAN : INFINITY)
                                         : ldexp(1024 + mantissa, exponent - 25);
    return bits & 0x8000 ? -size : size;
}

TEST(every_half_becomes_its_float) {
    static uint16_t all[65536];
    static float floats[65536];
    static uint16_t back[65536];
    for (uint32_t i = 0; i < 65536; i++)
        all[i] = (uint16_t)i;
    number16_to_floats(ELEMENT_F16, all, floats, 65536);
    number16_from_floats(ELEMENT_F16, floats, back, 65536);
    for (uint32_t i = 0; i < 65536; i++) {
        const double want = by_definition(all[i]);
        const float got = number16_to_float(ELEMENT_F16, all[i]);
        if (isnan(want)) {
            assert_true(isnan(got) && isnan(floats[i]));
            assert_true(element_is_nan(ELEMENT_F16, all[i]));
        } else {
            assert_true(got == want && floats[i] == want);
            assert_int_equal(!!signbit(got), i >> 15);
            assert_int_equal(!!signbit(floats[i]), i >> 15);
            assert_false(element_is_nan(ELEMENT_F16, all[i]));
            assert_int_equal(number16_from_float(ELEMENT_F16, got), all[i]);
            assert_int_equal(back[i], all[i]);
        }
    }
    assert_true(number16_to_float(ELEMENT_F16, element_power(ELEMENT_F16, 0)) == 1.0f);
    assert_true(element_is_nan(ELEMENT_F16, ELEMENT_NAN));
}

/* Between every two neighbours: the midpoint goes to the even one, a float beside it to the nearer.
 */
TEST(every_gap_rounds_to_nearest_even) {
    for (uint16_t low = 0; low <= HALF_LARGEST; low++) {
        const uint16_t high =
            (uint16_t)(low + 1); /* infinity above the largest: it stands for 65536 */
        const float above = high == HALF_INFINITY ? 65536.0f : number16_to_float(ELEMENT_F16, high);
        const float middle = (number16_to_float(ELEMENT_F16, low) + above) / 2; /* 12 bits: exact */
        for (int sign = 0; sign < 2; sign++) {
            const float s = sign ? -1.0f : 1.0f;
            const uint16_t bit = sign ? 0x8000 : 0;
            assert_int_equal(number16_from_float(ELEMENT_F16, s * middle),
                             (low & 1 ? high : low) | bit);
            assert_int_equal(number16_from_float(ELEMENT_F16, s * nextafterf(middle, 0)),
                             low | bit);
            assert_int_equal(number16_from_float(ELEMENT_F16, s * nextafterf(middle, INFINITY)),
                             high | bit);
        }
    }
}

TEST(ends_of_the_range) {
    assert_int_equal(number16_from_float(ELEMENT_F16, 65519.996f), HALF_LARGEST);
    assert_int_equal(number16_from_float(ELEMENT_F16, 65520.0f), HALF_INFINITY);
    assert_int_equal(number16_from_float(ELEMENT_F16, -3.4e38f), 0x8000 | HALF_INFINITY);
    assert_int_equal(number16_from_float(ELEMENT_F16, -INFINITY), 0x8000 | HALF_INFINITY);
    assert_int_equal(number16_from_float(ELEMENT_F16, 1e-45f), 0);
    assert_int_equal(number16_from_float(ELEMENT_F16, -1e-45f), 0x8000);
}

/* Quiet: the top mantissa bit is set, whatever the payload was. */
TEST(nan_becomes_a_quiet_nan) {
    const uint32_t nans[] = {0x7f800001, 0x7fc00000, 0x7fffffff, 0xff800001, 0xffffe000};
    for (size_t i = 0; i < sizeof nans / sizeof *nans; i++) {
        float nan;
        memcpy(&nan, &nans[i], sizeof nan);
        assert_int_equal(number16_from_float(ELEMENT_F16, nan) & 0x7e00, 0x7e00);
        assert_true(element_is_nan(ELEMENT_F16, number16_from_float(ELEMENT_F16, nan)));
    }
}

TEST(ulp_is_the_gap_around_the_value) {
    for (uint16_t low = 0; low < HALF_LARGEST; low++) {
        const float value = number16_to_float(ELEMENT_F16, low),
                    next = number16_to_float(ELEMENT_F16, (uint16_t)(low + 1));
        assert_true(number16_ulp(ELEMENT_F16, value) == next - value);
        assert_true(number16_ulp(ELEMENT_F16, -nextafterf(next, 0)) == next - value);
    }
    assert_true(number16_ulp(ELEMENT_F16, nextafterf(65520.0f, 0)) == 32);
    assert_true(isinf(number16_ulp(ELEMENT_F16, 65520.0f)) &&
                isinf(number16_ulp(ELEMENT_F16, -INFINITY)));
    assert_true(isnan(number16_ulp(ELEMENT_F16, NAN)));
}
