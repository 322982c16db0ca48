#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>

#include "tests/support/doubles.h"
#include "tests/support/draws.h"
#include "timing/significance.h"

/* Python's fractions: the sum of comb(n, j) (7/10)^j (3/10)^(n - j) for j from k to n. */
static void sign_test(void **state) {
    (void)state;
    static const struct {
        size_t above, n;
        double p;
    } cases[] = {{20, 20, 0.00079792266297612},
                 {19, 20, 0.007637259774200006},
                 {12, 12, 0.013841287201},
                 {3, 5, 0.83692},
                 {0, 5, 1},
                 {28, 29, 0.00043238734435205556},
                 {63, 64, 3.4676048148504473e-09},
                 {64, 64, 1.2197604876358358e-10}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        double x[SIGNIFICANCE_MOST];
        for (size_t j = 0; j < cases[i].n; j++)
            x[j] = j < cases[i].above ? 1e-9 * (double)(j + 1) : j % 2 ? 0 : -5;
        const double p = significance_above(x, cases[i].n);
        assert_double_near(p, cases[i].p, 1e-12 * cases[i].p);
    }
    double x[SIGNIFICANCE_MOST + 1] = {0};
    assert_true(isnan(significance_above(x, SIGNIFICANCE_MOST + 1)));
    assert_true(isnan(significance_above(x, 0)));
    x[4] = NAN;
    assert_true(isnan(significance_above(x, 5)));
    assert_false(isnan(significance_above(x, 3)));
}

/* One round in the mean of its kind: -1 .. 1 with the least favourable shape that is allowed. */
enum shape_of { INDEPENDENT, CORRELATED, EXPONENTIAL, LOGNORMAL, SHAPES };
static void draw_shape(enum shape_of shape, double *x, size_t n, uint64_t *random) {
    for (size_t i = 0; i < n; i++) {
        const double z = draw_normal(random);
        x[i] = shape == INDEPENDENT   ? z
               : shape == CORRELATED  ? (i ? 0.3 * x[i - 1] + sqrt(0.91) * z : z)
               : shape == EXPONENTIAL ? 1 + log(draw_uniform(random))
                                      : exp(0.5) - exp(z);
    }
}

/* Rounds whose mean is 0 are rarely found to be above it, whatever their shape. */
static void any_shape_keeps_the_level(void **state) {
    (void)state;
    enum { TIMES = 200000 };
    static const struct {
        size_t tests;
        double alpha;
        size_t spare;
    } gates[] = {{1, 0.01, 0}, {20, 0.01, 0}, {1, 0.01, 1}, {20, 0.01, 1}};
    for (size_t g = 0; g < 4; g++)
        for (int shape = 0; shape < SHAPES; shape++) {
            const size_t spare = gates[g].spare;
            const size_t n = significance_rounds(gates[g].tests, gates[g].alpha, spare);
            uint64_t random = 11;
            double x[SIGNIFICANCE_MOST];
            int found = 0;
            for (int i = 0; i < TIMES; i++) {
                draw_shape((enum shape_of)shape, x, n, &random);
                found += significance_above(x, n) <= gates[g].alpha / (double)gates[g].tests;
            }
            const double all = (double)gates[g].tests * found / TIMES;
            if (all > gates[g].alpha)
                fail_msg("shape %d, %zu tests: a false alarm in %g", shape, gates[g].tests, all);
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
    assert_int_equal(significance_rounds(1, 0.01, 0), 13);
    assert_int_equal(significance_rounds(20, 0.01, 0), 22);
    assert_int_equal(significance_rounds(1000, 0.01, 0), 33);
    assert_int_equal(significance_rounds(1, 0.01, 1), 20);
    assert_int_equal(significance_rounds(20, 0.01, 1), 29);
    assert_int_equal(significance_rounds(1000, 0.01, 1), 41);
    assert_int_equal(significance_rounds(8, 0.125, 1), 18);
    assert_int_equal(significance_rounds(SIZE_MAX, 1e-9, 1), SIGNIFICANCE_MOST);
    /* What they are for: one regression among a thousand, one of its values below the margin. */
    const size_t n = significance_rounds(1000, 0.01, 1);
    double x[SIGNIFICANCE_MOST], p[1000], adjusted[1000];
    for (size_t i = 0; i < n; i++)
        x[i] = i == 2 ? -100 : 1 + (double)i;
    for (int i = 0; i < 1000; i++)
        p[i] = i == 500 ? significance_above(x, n) : 0.5;
    significance_holm(p, 1000, adjusted);
    assert_true(adjusted[500] <= 0.01);
    assert_true(adjusted[499] == 1);
}

/* By the closed form of t(4) (Abramowitz & Stegun 26.7.4) and sums of Python's math.comb. */
static void power_of_rounds(void **state) {
    (void)state;
    assert_double_near(significance_power(22, 0, 5), 0.9770383609447476, 1e-12);
    assert_double_near(significance_power(29, 1, 5), 0.9995563366515783, 1e-12);
    assert_double_near(significance_power(22, 0, 2), 0.5898360224272093, 1e-12);
    assert_double_near(significance_power(29, 1, 2), 0.8498217850514471, 1e-12);
    assert_double_near(significance_power(1, 0, 0), 0.5, 1e-15);
    assert_true(significance_power(22, 0, -1) < 1e-19);
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
        {0.02, 0.01, 20, 0.01}, /* one may be negative */
        {0.02, 0.005, 29, 0.01 / 20},
        {0.02, 0.01, 26, 0.0001}, /* none may be negative */
        {0, 1, 14, 0.05},
        {0.04, 0.02, 30, 0.01},
        {0.02, 0.01, 41, 0.01 / 1000},
        {0.02, 0.03, 60, 0.001},
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
    /* 0.7^12 is 0.0138. */
    assert_true(significance_detectable(0.02, 0.01, 12, 0.01) == INFINITY);
    assert_true(isfinite(significance_detectable(0.02, 0.01, 13, 0.01)));
    assert_true(significance_detectable(0.02, 0, 12, 0.01) == INFINITY);
    assert_true(significance_detectable(0.02, 0.01, 0, 0.01) == INFINITY);
    assert_true(isnan(significance_detectable(0.02, NAN, 12, 0.01)));
    assert_true(isnan(significance_detectable(0.02, 0.01, SIGNIFICANCE_MOST + 1, 0.01)));
    assert_double_near(significance_detectable(0.02, 0, 20, 0.01), 0.02, 0);
    /* Python: NormalDist().cdf(d) by bisection of the exact binomial tail at 0.8. */
    assert_double_near(significance_detectable(0, 1, 20, 0.01), 1.734528982299776, 1e-5);
    assert_double_near(significance_detectable(0, 1, 29, 0.0005), 1.9030490781740401, 1e-5);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sign_test),
        cmocka_unit_test(any_shape_keeps_the_level),
        cmocka_unit_test(holm_by_hand),
        cmocka_unit_test(holm_closes_bonferroni),
        cmocka_unit_test(rounds_needed),
        cmocka_unit_test(power_of_rounds),
        cmocka_unit_test(bounds_of_a_mean),
        cmocka_unit_test(detectable_is_detected),
        cmocka_unit_test(detectable_at_its_ends),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
