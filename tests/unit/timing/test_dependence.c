
#include <math.h>

#include "tests/support/doubles.h"
#include "tests/support/draws.h"
#include "tests/support/test.h"
#include "timing/within.h"

/* Box, Jenkins & Reinsel, 4th ed., series F (yields of 70 batches): r1 = -0.39 in table 2.2; its
 * digits by statsmodels 0.15.0, statsmodels.tsa.stattools.acf(x, nlags=1)[1]. */
TEST(batch_yields) {
    const double yields[] = {47, 64, 23, 71, 38, 64, 55, 41, 59, 48, 71, 35, 57, 40, 58, 44, 80, 55,
                             37, 74, 51, 57, 50, 60, 45, 57, 50, 45, 25, 59, 50, 71, 56, 74, 50, 58,
                             45, 54, 36, 54, 48, 55, 45, 57, 50, 62, 44, 64, 43, 52, 38, 59, 55, 41,
                             53, 49, 34, 35, 54, 45, 68, 38, 50, 60, 39, 59, 40, 57, 54, 23};
    assert_double_near(dependence_lag1(yields, 70), -0.3898783185956056, 1e-14);
}

/* statsmodels 0.15.0, as above. */
TEST(wave) {
    double x[40];
    for (int i = 0; i < 40; i++)
        x[i] = sin(0.7 * i) + 0.1 * (i % 3);
    assert_double_near(dependence_lag1(x, 40), 0.7408347086819609, 1e-13);
}

/* By hand: about their means these are -1, 0, 1, 0, whose products are all 0, and -2, -1, 0, 1, 2,
 * with products 2 + 0 + 0 + 2 and squares 10. */
TEST(by_hand) {
    const double turn[] = {1, 2, 3, 2}, line[] = {1, 2, 3, 4, 5};
    assert_double_near(dependence_lag1(turn, 4), 0, 0);
    assert_double_near(dependence_lag1(line, 5), 0.4, 1e-15);
}

TEST(no_value_is_nan) {
    const double same[] = {0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1};
    assert_true(isnan(dependence_lag1(same, 7)));
    assert_true(isnan(dependence_lag1(same, 3))); /* whose rounded mean is not 0.1 */
    const double two[] = {1, 2};
    assert_true(isnan(dependence_lag1(two, 2)));
    assert_true(isnan(dependence_lag1(two, 0)));
}

TEST(autoregression_is_seen) {
    enum { N = 20000 };
    static double x[N];
    uint64_t random = 1;
    double value = 0;
    for (int i = 0; i < N; i++)
        x[i] = value = 0.5 * value + draw_normal(&random);
    /* Four standard errors, sqrt((1 - 0.25) / N) each (Bartlett 1946). */
    assert_double_near(dependence_lag1(x, N), 0.5, 4 * sqrt(0.75 / N));
}

/* Over many short series the estimate falls short by (1 + 4 * 0.5) / 20: what is undone. */
TEST(short_series_are_biased) {
    enum { SERIES = 4000, N = 20 };
    uint64_t random = 1;
    double sum = 0, squares = 0;
    for (int i = 0; i < SERIES; i++) {
        double x[N], value = draw_normal(&random) / sqrt(0.75);
        for (int j = 0; j < N; j++) {
            x[j] = value;
            value = 0.5 * value + draw_normal(&random);
        }
        const double lag1 = dependence_lag1(x, N);
        sum += lag1;
        squares += lag1 * lag1;
    }
    const double mean = sum / SERIES;
    assert_double_near(mean, 0.5 - 3.0 / N, 4 * sqrt((squares / SERIES - mean * mean) / SERIES));
}

TEST(worth_of_dependent_values) {
    /* (104 r + 1) / 100 is 0.5, 0.6, 0.01 and just on either side of 0 and of 0.99. */
    assert_double_near(dependence_effective(104, 49.0 / 104), 104.0 / 3, 1e-12);
    assert_double_near(dependence_effective(104, 59.0 / 104), 26, 1e-12);
    assert_double_near(dependence_effective(104, 0), 104 * 0.99 / 1.01, 1e-12);
    assert_double_near(dependence_effective(104, -0.9 / 104), 104 * 0.999 / 1.001, 1e-12);
    assert_double_near(dependence_effective(104, -1.1 / 104), 104, 0);
    assert_double_near(dependence_effective(104, 97.0 / 104), 104 * 0.02 / 1.98, 1e-12);
    assert_double_near(dependence_effective(104, 98.1 / 104), 104.0 / 199, 1e-12);
    assert_double_near(dependence_effective(104, 1), 104.0 / 199, 1e-12);
    assert_double_near(dependence_effective(104, -0.5), 104, 0);
    assert_double_near(dependence_effective(104, NAN), 104, 0);
    /* 5 r + 1 = 0.5 */
    assert_double_near(dependence_effective(5, -0.1), 5.0 / 3, 1e-12);
    assert_double_near(dependence_effective(5, NAN), 5, 0);
    assert_double_near(dependence_effective(4, 0.5), 4, 0);
    assert_double_near(dependence_effective(3, 0.5), 3, 0);
    assert_double_near(dependence_effective(0, NAN), 0, 0);
}

/* A cosine of the series is one wave, with the mean square of its values; by R 4.2.2,
 * mean(sapply(1:q, function(j) 2 / n * sum((x - mean(x)) * cos(pi * j * (1:n - 0.5) / n))^2)). */
TEST(long_run_by_waves) {
    double x[40];
    for (int i = 0; i < 40; i++)
        x[i] = 7 + cos(acos(-1) * 3 * (i + 0.5) / 40);
    assert_double_near(dependence_long_run(x, 40, 2), 0, 1e-12);
    assert_double_near(dependence_long_run(x, 40, 3), 20.0 / 3, 1e-12);
    assert_double_near(dependence_long_run(x, 40, 4), 5, 1e-12);
    for (int i = 0; i < 40; i++)
        x[i] = sin(0.7 * i) + 0.1 * (i % 3);
    assert_double_near(dependence_long_run(x, 40, 1), 0.001211054708544318, 1e-13);
    assert_double_near(dependence_long_run(x, 40, 4), 0.2029584637463486, 1e-13);
    assert_double_near(dependence_long_run(x, 40, 7), 0.2638484073499274, 1e-13);
    assert_true(isnan(dependence_long_run(x, 1, 4)) && isnan(dependence_long_run(x, 40, 0)));
}

/* n times the variance of the mean: 1 / (1 - 0.5)^2 of an autoregression. */
TEST(long_run_of_an_autoregression) {
    enum { SERIES = 2000, N = 200 };
    uint64_t random = 1;
    double sum = 0;
    for (int i = 0; i < SERIES; i++) {
        double x[N], value = draw_normal(&random) / sqrt(0.75);
        for (int j = 0; j < N; j++) {
            x[j] = value;
            value = 0.5 * value + draw_normal(&random);
        }
        sum += dependence_long_run(x, N, 4) / SERIES;
    }
    assert_double_near(
        sum, 4, 4 * 4 * sqrt(0.5 / SERIES)); /* four standard errors of 4 degrees of freedom */
}
