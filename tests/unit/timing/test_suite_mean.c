
#include <math.h>
#include <stdbool.h>

#include "tests/support/doubles.h"
#include "tests/support/test.h"
#include "timing/suite_mean.h"
#include "timing/tails.h"

static double t_of(double freedom) {
    return tails_student_quantile(0.975, freedom);
}

/* A variance that is known exactly. */
#define EXACT(variance)                                                                            \
    { (variance), INFINITY }

/* Three shapes, four visits; shapes' means 1, 2, 6. Their visits' residuals have means 0.1 e, with
 * e -1, 1, 1, -1: a variance of 4 * 0.01 / 3. */
static const double table[] = {0.9, 1.1, 1.2, 0.8, 1.9, 2.1, 2.0, 2.0, 5.9, 6.1, 6.1, 5.9};

TEST(explained_by_shapes) {
    const struct spread variance[] = {EXACT(0.1), EXACT(0.2), EXACT(0.3)};
    const struct suite_mean suite = suite_mean_of(table, variance, 3, 4, 0.95);
    assert_double_near(suite.estimate, 3, 1e-15);
    const double half = t_of(INFINITY) * sqrt(0.6 / 4) / 3;
    assert_double_near(suite.low, 3 - half, 1e-14);
    assert_double_near(suite.high, 3 + half, 1e-14);
    assert_int_equal(suite.shapes, 3);
    assert_int_equal(suite.visits, 4);
    /* The shapes' means have the variance (4 + 1 + 9) / 2. */
    const double shapes = t_of(2) * sqrt(7.0 / 3);
    assert_double_near(suite.shapes_low, 3 - shapes, 1e-13);
    assert_double_near(suite.shapes_high, 3 + shapes, 1e-13);
}

TEST(common_to_visits) {
    const struct spread variance[] = {EXACT(0.01), EXACT(0.02), EXACT(0.03)};
    const struct suite_mean suite = suite_mean_of(table, variance, 3, 4, 0.95);
    const double seen = 0.04 / 3, half = t_of(3) * sqrt(seen / 4);
    assert_double_near(suite.low, 3 - half, 1e-13);
    assert_double_near(suite.high, 3 + half, 1e-13);
}

/* Two visits say too little of what is common: always Student's. */
TEST(two_visits) {
    const double estimates[] = {1, 1.2, 2, 2.2};
    const struct spread variance[] = {EXACT(1), EXACT(1)};
    const struct suite_mean suite = suite_mean_of(estimates, variance, 2, 2, 0.95);
    const double half = t_of(1) * sqrt(0.02 / 2);
    assert_double_near(suite.low, 1.6 - half, 1e-13);
    assert_double_near(suite.high, 1.6 + half, 1e-13);
}

TEST(one_visit) {
    const double estimates[] = {1, 2, NAN, 3};
    const struct spread variance[] = {EXACT(0.01), EXACT(0.04), EXACT(NAN), EXACT(0.04)};
    const struct suite_mean suite = suite_mean_of(estimates, variance, 4, 1, 0.95);
    const double half = t_of(INFINITY) * 0.1;
    assert_double_near(suite.estimate, 2, 0);
    assert_double_near(suite.low, 2 - half, 1e-15);
    assert_double_near(suite.high, 2 + half, 1e-15);
    assert_int_equal(suite.shapes, 3);
    assert_int_equal(suite.visits, 1);
}

/* A shape without a visit or two, one that has only one, and a visit that only that one has. */
TEST(missing_visits) {
    const double estimates[] = {1,   1.2, NAN, NAN, /* residuals -0.1, 0.1 */
                                2.3, 2,   NAN, 2.3, /* 0.1, -0.2, 0.1 */
                                NAN, NAN, 4,   NAN};
    const struct spread variance[] = {EXACT(1), EXACT(1.5), EXACT(1)};
    const struct suite_mean suite = suite_mean_of(estimates, variance, 3, 4, 0.95);
    assert_double_near(suite.estimate, (1.1 + 2.2 + 4) / 3, 1e-15);
    assert_int_equal(suite.visits, 3); /* residuals' means 0, -0.05, 0.1 */
    const double half = t_of(INFINITY) * sqrt(1.0 / 2 + 0.5 + 1) / 3;
    assert_double_near(suite.high - suite.estimate, half, 1e-13);
    const struct spread little[] = {EXACT(1e-4), EXACT(1e-4), EXACT(1e-4)};
    const struct suite_mean common = suite_mean_of(estimates, little, 3, 4, 0.95);
    assert_double_near(common.high - common.estimate, t_of(2) * sqrt(0.0125 / 2 / 3), 1e-13);
}

/* Satterthwaite's degrees of freedom of shares 0.025, 0.05 and 0.075, and at most the visits'. */
TEST(few_degrees_of_freedom) {
    const struct spread variance[] = {{0.1, 3}, {0.2, 4}, {0.3, 6}};
    const struct suite_mean suite = suite_mean_of(table, variance, 3, 4, 0.95);
    const double half = t_of(9) * sqrt(0.6 / 4) / 3; /* by Satterthwaite 12.2 */
    assert_double_near(suite.high - suite.estimate, half, 1e-13);
    const struct spread less[] = {{0.1, 1}, {0.2, 1}, {0.3, 2}};
    const double squares = 0.025 * 0.025 + 0.05 * 0.05 + 0.075 * 0.075 / 2;
    const struct suite_mean wide = suite_mean_of(table, less, 3, 4, 0.95);
    assert_double_near(wide.high - wide.estimate, t_of(0.0225 / squares) * sqrt(0.6 / 4) / 3,
                       1e-13);
    const struct spread alike[] = {{0.1, 5}, {0.1, 5}, {0.1, 5}}; /* a visit each: 15 in all */
    const struct suite_mean one = suite_mean_of(table, alike, 3, 1, 0.95);
    assert_double_near(one.high - one.estimate, t_of(15) * sqrt(0.3) / 3, 1e-13);
}

/* One shape has the interval of its row, whether its visits vary more than that says or less. */
TEST(one_shape) {
    const double estimates[] = {1, 1.2, 1.4};
    for (size_t visits = 2; visits <= 3; visits++)
        for (double v = 0.01; v < 0.2; v += 0.03) {
            const struct spread variance = {v, 2.5};
            const struct suite_mean suite = suite_mean_of(estimates, &variance, 1, visits, 0.95);
            const double half = t_of(2.5) * sqrt(v / (double)visits);
            assert_double_near(suite.high - suite.estimate, half, 1e-13);
            assert_double_near(suite.estimate - suite.low, half, 1e-13);
        }
}

TEST(too_little) {
    const double none[] = {NAN, NAN}, one[] = {1, 1.5};
    const struct spread variance[] = {EXACT(0.5), EXACT(NAN)};
    struct suite_mean suite = suite_mean_of(none, variance, 1, 2, 0.95);
    assert_nan(suite.estimate);
    assert_nan(suite.low);
    assert_nan(suite.shapes_high);
    assert_int_equal(suite.shapes, 0);
    suite = suite_mean_of(NULL, NULL, 0, 3, 0.95);
    assert_nan(suite.estimate);
    suite = suite_mean_of(one, variance, 1, 2, 0.95); /* one shape is no sample of shapes */
    assert_double_near(suite.estimate, 1.25, 0);
    assert_double_near(suite.shapes_low, -INFINITY, 0);
    assert_double_near(suite.shapes_high, INFINITY, 0);
    assert_true(isfinite(suite.low) && isfinite(suite.high));
    suite = suite_mean_of(one, variance, 2, 1, 0.95); /* a variance that is unknown */
    assert_double_near(suite.low, -INFINITY, 0);
    assert_double_near(suite.high, INFINITY, 0);
}
