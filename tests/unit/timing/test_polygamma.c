
#include <math.h>

#include "tests/support/test.h"
#include "timing/moderation.h"

#define CLOSE(got, want) assert_true(fabs((got) - (want)) <= 2e-13 * fabs(want))

/* R 4.2.2: digamma(x), trigamma(x), psigamma(x, 2). Known in closed form: digamma(1) is less
 * Euler's constant, trigamma(1) pi^2 / 6, trigamma(1/2) pi^2 / 2, tetragamma(1) -2 zeta(3). */
TEST(derivatives) {
    static const double expected[][4] = {
        {0.001, -1000.57557193181, 1000001.6425332, -2000000002.39763},
        {0.1, -10.4237549404111, 101.433299150793, -2001.86145737834},
        {0.5, -1.96351002602142, 4.93480220054468, -16.8287966442343},
        {1, -0.577215664901532, 1.64493406684823, -2.40411380631919},
        {1.5, 0.0364899739785769, 0.934802200544679, -0.82879664423432},
        {2, 0.422784335098467, 0.644934066848226, -0.404113806319189},
        {7.25, 1.91045352688374, 0.147879233158932, -0.0218289522951977},
        {14.9, 2.66742897621604, 0.0694165832070958, -0.00481673293282905},
        {15, 2.67434666166079, 0.0689382278476838, -0.00475060271655155},
        {100, 4.60016185273809, 0.0100501666633336, -0.00010100499983335},
        {1e6, 13.8155100579642, 1.00000050000017e-06, -1.0000010000005e-12},
    };
    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++) {
        CLOSE(polygamma_digamma(expected[i][0]), expected[i][1]);
        CLOSE(polygamma_trigamma(expected[i][0]), expected[i][2]);
        CLOSE(polygamma_tetragamma(expected[i][0]), expected[i][3]);
    }
}

/* limma 3.54.1, trigammaInverse(y); where that stops early, the root of R's trigamma by uniroot. */
TEST(inverse) {
    static const double expected[][2] = {
        {1e8, 1e-4},
        {1e4, 0.0100008107043911},
        {4.93480220054468, 0.5},
        {1.6449340668482264, 1},
        {0.5, 2.45995294835231},
        {0.01, 100.499166681943},
        {1e-5, 100000.499999167},
        {1e-7, 1e7},
    };
    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++)
        CLOSE(polygamma_trigamma_inverse(expected[i][0]), expected[i][1]);
    for (double x = 2e-3; x < 9e5; x *= 1.7)
        CLOSE(polygamma_trigamma_inverse(polygamma_trigamma(x)), x);
}

TEST(no_value_is_nan) {
    const double none[] = {0, -1, NAN};
    for (int i = 0; i < 3; i++) {
        assert_true(isnan(polygamma_digamma(none[i])));
        assert_true(isnan(polygamma_trigamma(none[i])));
        assert_true(isnan(polygamma_tetragamma(none[i])));
        assert_true(isnan(polygamma_trigamma_inverse(none[i])));
    }
}
