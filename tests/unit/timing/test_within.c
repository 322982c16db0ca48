
#include <math.h>

#include "tests/support/doubles.h"
#include "tests/support/draws.h"
#include "tests/support/test.h"
#include "timing/stats.h"
#include "timing/within.h"

/* This and the next by R 4.2.2: h, the estimate and the exact interval from the sorted Walsh
 * averages and psignrank; s <- rowSums(sign(outer(x, x, "+") - 2 * h[1])); s <- s - mean(s); v <-
 * mean(sapply(1:4, function(j) 2 / n * sum(s * cos(pi * j * (1:n - 0.5) / n))^2)); half-widths
 * times sqrt(v / var(s)) * qt(0.975, 4) / qnorm(0.975). */
TEST(wave) {
    double x[40];
    for (int i = 0; i < 40; i++)
        x[i] = sin(0.7 * i) + 0.1 * (i % 3);
    const struct within within = within_blocks(x, 40, 0.95);
    assert_double_near(within.estimate, 0.1594569195901716, 1e-13);
    assert_double_near(within.low, -0.03424645052145778, 1e-12);
    assert_double_near(within.high, 0.3822636315519901, 1e-12);
    assert_double_near(within.plain_error, 0.1184294105708894, 1e-12);
    assert_double_near(within.likely_half, 0.8179062429822109, 1e-12);
    assert_double_near(within.lag1, 0.7408347086819609, 1e-13);
    assert_double_near(within.effective, 3.221575120719947, 1e-11);
}

TEST(six_values) {
    const double x[] = {3.1, 2.9, 3.4, 2.2, 3.3, 2.7};
    const struct within within = within_blocks(x, 6, 0.95);
    assert_double_near(within.estimate, 3, 1e-15);
    assert_double_near(within.low, 2.516757355490826, 1e-12);
    assert_double_near(within.high, 3.241621322254587, 1e-12);
    assert_double_near(within.plain_error, 0.3061280741547924, 1e-12);
    assert_double_near(within.likely_half, 0.6, 1e-14);
}

/* Ticks of a clock: values that are equal make sums that are equal, whatever they are rounded to.
 */
TEST(ties_weigh_alike) {
    double x[40], shifted[40];
    for (int i = 0; i < 40; i++) {
        x[i] = i * 7 % 40 < 13 ? 1 : i * 7 % 40 < 26 ? 2 : 3;
        shifted[i] = 0.1 * x[i] + 0.7;
    }
    const struct within within = within_blocks(x, 40, 0.95);
    const struct within other = within_blocks(shifted, 40, 0.95);
    assert_double_near(other.high - other.low, 0.1 * (within.high - within.low), 1e-9);
}

TEST(equal_values_have_no_width) {
    const double x[] = {0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1};
    const struct within within = within_blocks(x, 7, 0.95);
    assert_double_near(within.low, 0.1, 0);
    assert_double_near(within.high, 0.1, 0);
    assert_double_near(within.plain_error, 0, 0);
    assert_double_near(within.effective, 7, 0);
    assert_nan(within.lag1);
}

TEST(few_values) {
    const double x[] = {1, 2, 3, 4, 5, NAN};
    struct within within = within_blocks(x, 5, 0.95);
    assert_double_near(within.estimate, 3, 0);
    assert_double_near(within.low, -INFINITY, 0);
    assert_double_near(within.high, INFINITY, 0);
    assert_double_near(within.plain_error, INFINITY, 0);
    assert_double_near(within.likely_half, INFINITY, 0);
    within = within_blocks(x, 0, 0.95);
    assert_nan(within.estimate);
    assert_nan(within.low);
    within = within_blocks(x, 6, 0.95);
    assert_nan(within.estimate);
    assert_nan(within.high);
    assert_nan(within.plain_error);
}

enum { TIMES = 1000, MOST = 100 };

struct covered {
    int within, likely; /* of TIMES */
    double most;        /* the largest width over the plain one */
};

/* Values about 0: a normal autoregression, and as much white noise or none. */
static struct covered times_covered(int n, double phi, double white) {
    uint64_t random = 1;
    struct covered covered = {0, 0, 0};
    for (int trial = 0; trial < TIMES; trial++) {
        double x[MOST], value = draw_normal(&random);
        for (int i = 0; i < n; i++) {
            x[i] = value + white * draw_normal(&random);
            value = phi * value + sqrt(1 - phi * phi) * draw_normal(&random);
        }
        const struct within within = within_blocks(x, (size_t)n, 0.95);
        covered.within += within.low <= 0 && 0 <= within.high;
        covered.likely += fabs(within.estimate) <= within.likely_half;
        covered.most =
            fmax(covered.most, (within.high - within.low) / 2 / 1.96 / within.plain_error);
    }
    return covered;
}

/* Were it 95 %, R says qbinom(c(0.0005, 0.9995), 1000, 0.95) = 926, 971. */
TEST(independent_values_are_covered) {
    assert_in_range(times_covered(20, 0, 0).within, 926, 971);
    assert_in_range(times_covered(100, 0, 0).within, 926, 971);
    assert_true(times_covered(6, 0, 0).within >= 950);
}

/* The chance of six values in a row does not make them worth less than one. */
TEST(six_values_are_no_wild_guess) {
    const struct covered covered = times_covered(6, 0, 0);
    assert_true(covered.most < 2.6);
}

TEST(dependent_values_are_covered) {
    assert_in_range(times_covered(20, 0.5, 0).within, 900, 971);
    assert_in_range(times_covered(100, 0.5, 0).within, 926, 971);
    assert_true(times_covered(100, 0.95, 0).within >= 800);
}

/* Slow drift under noise, which no correlation of neighbours shows. */
TEST(drift_is_seen) {
    const struct covered covered = times_covered(100, 0.99, 1);
    assert_true(covered.within >= 500);
    assert_true(covered.likely <= 300);
}
