#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>

#include "tests/support/doubles.h"
#include "tests/support/draws.h"
#include "timing/significance.h"

/* How many of the 2^n choices of signs are as extreme, counted one by one in Python. */
static void ties_and_zeros(void **state) {
    (void)state;
    static const struct {
        double x[12];
        size_t n;
        int choices;
    } cases[] = {
        {{1, 2, 3}, 3, 1},
        {{-1, 2, 3}, 3, 2},
        {{1, -1, 2, 2, 3}, 5, 3},
        {{0, 1, 2, 3, 4}, 5, 2},
        {{0, 0, 1, 1, -1, 2, 2, 3}, 8, 18},
        {{0, 0, 0}, 3, 8},
        {{-2, 1, 1, 1, 0, -0.5, 4, 4, 4, -4, 3, 7}, 12, 229},
        {{-INFINITY, 1, INFINITY}, 3, 4}, /* by hand: of 2.5, 1 and 2.5 at most 2.5 */
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_double_near(significance_above(cases[i].x, cases[i].n),
                           ldexp(cases[i].choices, -(int)cases[i].n), 0);
}

/* Hamilton's depression scores of nine patients, first less second visit (Hollander, Wolfe &
 * Chicken, example 3.1): T+ = 40, and P(T+ >= 40) = 0.020 by their table A.4, 10/512. */
static void published(void **state) {
    (void)state;
    const double x[] = {0.952, -0.147, 1.022, 0.430, 0.620, 0.590, 0.490, -0.080, 0.010};
    assert_double_near(significance_above(x, 9), 10.0 / 512, 0);
}

/* 1..n, every step-th negative: counted in Python's integers. scipy 1.17.1, wilcoxon(
 * alternative="greater", method="exact"), agrees to 15 digits for the first three, and to 1e-16. */
static void many_rounds(void **state) {
    (void)state;
    static const struct {
        int n, step;
        double p;
    } cases[] = {{30, 7, 0.00023005343973636627},
                 {50, 3, 0.01308348408559823},
                 {52, 5, 4.630823605000778e-05},
                 {64, 4, 0.00035984871773170297},
                 {64, 9, 6.6774288260741145e-09}};
    double x[SIGNIFICANCE_MOST + 1];
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        for (int j = 1; j <= cases[i].n; j++)
            x[j * 37 % cases[i].n] = j % cases[i].step == 0 ? -j : j; /* 37 divides no n */
        assert_double_near(significance_above(x, (size_t)cases[i].n), cases[i].p,
                           1e-12 * cases[i].p);
    }
    for (int j = 0; j <= SIGNIFICANCE_MOST; j++)
        x[j] = 1;
    assert_double_near(significance_above(x, SIGNIFICANCE_MOST), 0x1p-64, 0);
    x[0] = -1e-3;
    assert_double_near(significance_above(x, SIGNIFICANCE_MOST), 0x1p-63, 0);
    assert_true(isnan(significance_above(x, SIGNIFICANCE_MOST + 1)));
    assert_true(isnan(significance_above(x, 0)));
    x[3] = NAN;
    assert_true(isnan(significance_above(x, 5)));
    assert_false(isnan(significance_above(x, 3)));
    for (int j = 0; j < SIGNIFICANCE_MOST; j++)
        x[j] = -1 - j;
    assert_double_near(significance_above(x, SIGNIFICANCE_MOST), 1, 1e-12);
    assert_true(significance_above(x, SIGNIFICANCE_MOST) <= 1);
}

/* The share of all choices of signs with T+ at least x's; ranks are the mean places of equal
 * values. */
static double above_by_listing(const double *x, int n) {
    double rank[12], seen = 0;
    for (int i = 0; i < n; i++) {
        int first = 1, last = 0;
        for (int j = 0; j < n; j++) {
            first += fabs(x[j]) < fabs(x[i]);
            last += fabs(x[j]) <= fabs(x[i]);
        }
        rank[i] = (first + last) / 2.0;
        seen += x[i] > 0 ? rank[i] : 0;
    }
    int extreme = 0;
    for (int signs = 0; signs < 1 << n; signs++) {
        double sum = 0;
        for (int i = 0; i < n; i++)
            sum += signs >> i & 1 ? rank[i] : 0;
        extreme += sum >= seen;
    }
    return ldexp(extreme, -n);
}

static void as_by_listing(void **state) {
    (void)state;
    uint64_t random = 1;
    for (int trial = 0; trial < 600; trial++) {
        double x[12];
        const int n = 1 + trial % 12, values = trial % 5 == 0 ? 1000 : 3;
        for (int i = 0; i < n; i++)
            x[i] = (int)(draw_bits(&random) % (uint64_t)(2 * values + 1)) - values + 1;
        assert_double_near(significance_above(x, (size_t)n), above_by_listing(x, n), 0);
    }
}

static void holm_by_hand(void **state) {
    (void)state;
    /* In order 0.005 x 4, 0.01 x 3, 0.03 x 2 and 0.04 x 1, which is less than the one before. */
    const double p[] = {0.01, 0.04, 0.03, 0.005};
    double adjusted[5];
    significance_holm(p, 4, adjusted);
    assert_double_near(adjusted[0], 0.03, 1e-15);
    assert_double_near(adjusted[1], 0.06, 1e-15);
    assert_double_near(adjusted[2], 0.06, 1e-15);
    assert_double_near(adjusted[3], 0.02, 1e-15);
    const double unknown[] = {NAN, 0.01, 0.6, NAN, 0.5};
    significance_holm(unknown, 5, adjusted);
    assert_double_near(adjusted[1], 0.05, 1e-15);
    for (int i = 0; i < 5; i++)
        assert_true(i == 1 || adjusted[i] == 1);
    significance_holm(p, 0, adjusted);
}

/* Holm's is the closure of Bonferroni's test (Marcus, Peritz & Gabriel 1976): a hypothesis is
 * rejected when every set with it is, by size times smallest p. */
static void holm_closes_bonferroni(void **state) {
    (void)state;
    uint64_t random = 2;
    for (int trial = 0; trial < 300; trial++) {
        double p[7], adjusted[7];
        const int n = 1 + trial % 7;
        for (int i = 0; i < n; i++)
            p[i] =
                trial % 2 ? 0.3 * draw_uniform(&random) : (double)(1 + draw_bits(&random) % 5) / 64;
        significance_holm(p, (size_t)n, adjusted);
        for (int i = 0; i < n; i++) {
            double worst = 0;
            for (int set = 0; set < 1 << n; set++) {
                int size = 0;
                double smallest = 1;
                for (int j = 0; j < n; j++)
                    if (set >> j & 1) {
                        size++;
                        smallest = fmin(smallest, p[j]);
                    }
                if (set >> i & 1)
                    worst = fmax(worst, fmin(1, size * smallest));
            }
            assert_double_near(adjusted[i], worst, 1e-15);
        }
    }
}

static void rounds_needed(void **state) {
    (void)state;
    assert_int_equal(significance_rounds(1, 0.01), 10);
    assert_int_equal(significance_rounds(20, 0.01), 14);
    assert_int_equal(significance_rounds(1000, 0.01), 20);
    assert_int_equal(significance_rounds(8, 0.125), 9);
    assert_int_equal(significance_rounds(SIZE_MAX, 1e-9), SIGNIFICANCE_MOST);
    /* What they are for: one regression among a thousand, two of its values below the margin. */
    const size_t n = significance_rounds(1000, 0.01);
    double x[SIGNIFICANCE_MOST], p[1000], adjusted[1000];
    for (size_t i = 0; i < n; i++)
        x[i] = i == 0 || i == 2 ? -1 - (double)i : 1 + (double)i;
    for (int i = 0; i < 1000; i++)
        p[i] = i == 500 ? significance_above(x, n) : 0.5;
    significance_holm(p, 1000, adjusted);
    assert_true(adjusted[500] <= 0.01);
    assert_true(significance_above(x, n) == ldexp(7, -(int)n));
    assert_true(adjusted[499] == 1);
}

/* scipy 1.17.1, stats.t.interval(0.9 and 0.98, 5, mean, stats.sem). */
static void bounds_of_a_mean(void **state) {
    (void)state;
    const double x[] = {2.5, -1, 4, 0.5, 3, 7};
    struct significance_bounds bounds = significance_bounds(x, 6, 0.95);
    assert_double_near(bounds.mean, 2.6666666666666665, 1e-14);
    assert_double_near(bounds.sd, 2.786873995477131, 1e-14);
    assert_double_near(bounds.low, 0.374072493608566, 1e-12);
    assert_double_near(bounds.high, 4.959260839724766, 1e-12);
    bounds = significance_bounds(x, 6, 0.99);
    assert_double_near(bounds.low, -1.161737162410113, 1e-12);
    assert_double_near(bounds.high, 6.495070495743446, 1e-12);
    bounds = significance_bounds(x, 1, 0.95);
    assert_true(bounds.mean == 2.5 && isnan(bounds.sd));
    assert_true(bounds.low == -INFINITY && bounds.high == INFINITY);
    bounds = significance_bounds(x, 0, 0.95);
    assert_true(isnan(bounds.mean) && isnan(bounds.sd));
    assert_true(bounds.low == -INFINITY && bounds.high == INFINITY);
}

/* Of normal rounds about the effect that is said to be detectable. */
static double simulated_power(double margin, double sd, size_t n, double alpha) {
    enum { TIMES = 2000 };
    const double centre = significance_detectable(margin, sd, n, alpha);
    uint64_t random = 3;
    int found = 0;
    for (int trial = 0; trial < TIMES; trial++) {
        double x[SIGNIFICANCE_MOST];
        for (size_t i = 0; i < n; i++)
            x[i] = centre + sd * draw_normal(&random) - margin;
        found += significance_above(x, n) <= alpha;
    }
    return (double)found / TIMES;
}

static void detectable_is_detected(void **state) {
    (void)state;
    static const struct {
        double margin, sd;
        size_t n;
        double alpha;
    } cases[] = {
        {0.02, 0.01, 12, 0.01 / 20}, /* the sum of negative ranks may be 1 */
        {0.02, 0.005, 14, 0.01 / 20},
        {0.02, 0.01, 14, 0.0001}, /* none may be negative */
        {0, 1, 5, 0.05},
        {0.04, 0.02, 10, 0.01},
        {0.02, 0.01, 20, 0.01 / 1000},
        {0.02, 0.03, 32, 0.001},
        {0.02, 0.01, 50, 0.01},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const double power =
            simulated_power(cases[i].margin, cases[i].sd, cases[i].n, cases[i].alpha);
        if (!(power >= 0.77 && power <= 0.83))
            fail_msg("n %zu, alpha %g: power %g", cases[i].n, cases[i].alpha, power);
    }
}

static void detectable_at_its_ends(void **state) {
    (void)state;
    /* 2^-10 is more than 0.0005. */
    assert_true(significance_detectable(0.02, 0.01, 10, 0.0005) == INFINITY);
    assert_true(isfinite(significance_detectable(0.02, 0.01, 13, 0x1p-13)));
    assert_true(significance_detectable(0.02, 0.01, 12, 0x1p-13) == INFINITY);
    assert_true(significance_detectable(0.02, 0, 12, 0x1p-13) == INFINITY);
    assert_true(significance_detectable(0.02, 0.01, 0, 0.01) == INFINITY);
    assert_true(isnan(significance_detectable(0.02, NAN, 12, 0.01)));
    assert_true(isnan(significance_detectable(0.02, 0.01, SIGNIFICANCE_MOST + 1, 0.01)));
    assert_double_near(significance_detectable(0.02, 0, 12, 0.01), 0.02, 0);
    /* All of n must be positive: Phi(d)^n = 0.8 (statistics.NormalDist().inv_cdf of Python). */
    assert_double_near(significance_detectable(0, 1, 1, 0.5), 0.8416212335729143, 1e-3);
    assert_double_near(significance_detectable(0, 1, 64, 0x1p-64), 2.698699810937604, 0.03);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ties_and_zeros),
        cmocka_unit_test(published),
        cmocka_unit_test(many_rounds),
        cmocka_unit_test(as_by_listing),
        cmocka_unit_test(holm_by_hand),
        cmocka_unit_test(holm_closes_bonferroni),
        cmocka_unit_test(rounds_needed),
        cmocka_unit_test(bounds_of_a_mean),
        cmocka_unit_test(detectable_is_detected),
        cmocka_unit_test(detectable_at_its_ends),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
