
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "correctness/numbers/input.h"
#include "tests/support/doubles.h"
#include "tests/support/test.h"
#include "timing/stats.h"

static const double few[] = {3.1, -2.5, 7.25, 0.0, 11.0, 4.4, -9.75, 2.0};
enum { FEW = sizeof few / sizeof *few };

static double uniform(uint64_t seed, uint64_t index) {
    return seed_uniform(seed_derive(seed, SEED_CHECK, index));
}

/* numpy 2.4: x.mean(), x.std(ddof=1), numpy.median(x). */
TEST(mean_sd_and_median) {
    double kept[FEW];
    memcpy(kept, few, sizeof few);
    assert_double_near(stats_mean(few, FEW), 1.9375, 1e-15);
    assert_double_near(stats_sd(few, FEW), 6.299815756943101, 1e-14);
    assert_double_near(stats_median(few, FEW), 2.55, 1e-15);
    assert_double_near(stats_median(few, FEW - 1), 3.1, 0);
    assert_memory_equal(few, kept, sizeof few);
}

/* NIST StRD NumAcc3 (x = 1000000.2, then 1000000.1 and 1000000.3 by turns; n = 1001) and NumAcc4
 * (the same at 10000000): certified means 1000000.2, 10000000.2, and standard deviation 0.1. */
TEST(sd_stands_large_means) {
    double x[1001];
    const double levels[] = {1e6, 1e7};
    for (int level = 0; level < 2; level++) {
        x[0] = levels[level] + 0.2;
        for (int i = 1; i < 1001; i++)
            x[i] = levels[level] + (i % 2 ? 0.1 : 0.3);
        assert_double_near(stats_mean(x, 1001), levels[level] + 0.2, 4e-9);
        assert_double_near(stats_sd(x, 1001), 0.1, 1e-8);
    }
}

/* A plain sum of these is 0: each 1 is lost beside 1e16 and so are the next nine. */
TEST(mean_is_compensated) {
    double x[1002];
    x[0] = 1e16;
    for (int i = 1; i <= 1000; i++)
        x[i] = 1;
    x[1001] = -1e16;
    assert_double_near(stats_mean(x, 1002) * 1002, 1000, 2);
}

/* numpy.quantile(x, p), linear. */
TEST(quantiles_are_type_7) {
    static const double expected[][2] = {{0, -9.75},  {0.05, -7.2125}, {0.25, -0.625},
                                         {0.5, 2.55}, {0.9, 8.375},    {0.95, 9.687499999999998},
                                         {1, 11.0}};
    double x[FEW];
    memcpy(x, few, sizeof few);
    stats_sort(x, FEW);
    for (int i = 1; i < FEW; i++)
        assert_true(x[i - 1] < x[i]);
    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++)
        assert_double_near(stats_quantile_sorted(x, FEW, expected[i][0]), expected[i][1], 1e-14);
    assert_double_near(stats_quantile_sorted(x, 1, 0.3), x[0], 0);
}

TEST(no_value_is_nan) {
    const double infinite[] = {1, 2, INFINITY, 3};
    assert_true(isnan(stats_mean(few, 0)));
    assert_true(isnan(stats_sd(few, 0)));
    assert_true(isnan(stats_sd(few, 1)));
    assert_true(isnan(stats_median(few, 0)));
    assert_true(isnan(stats_quantile_sorted(few, 0, 0.5)));
    assert_true(isnan(stats_quantile_sorted(few, FEW, 1.1)));
    assert_true(isnan(stats_quantile_sorted(few, FEW, NAN)));
    assert_nan(stats_hodges_lehmann(few, 0));
    assert_nan(stats_hodges_lehmann(infinite, 4));
}

/* Hollander, Wolfe & Chicken, 3rd ed., table 3.1 (Hamilton depression scale factor IV, nine
 * patients) and example 3.3: -0.46. */
TEST(depression_data) {
    const double first[] = {1.83, 0.50, 1.62, 2.48, 1.68, 1.88, 1.55, 3.06, 1.30};
    const double second[] = {0.878, 0.647, 0.598, 2.05, 1.06, 1.29, 1.06, 3.14, 1.29};
    double change[9];
    for (int i = 0; i < 9; i++)
        change[i] = second[i] - first[i];
    assert_double_near(stats_hodges_lehmann(change, 9), -0.46, 1e-12);
}

static int compare(const void *a, const void *b) {
    const double left = *(const double *)a, right = *(const double *)b;
    return (left > right) - (left < right);
}

/* All Walsh averages, sorted; the caller frees. */
static double *list_walsh(const double *x, size_t n, size_t *count) {
    double *averages = malloc(n * (n + 1) / 2 * sizeof *averages);
    assert_non_null(averages);
    *count = 0;
    for (size_t i = 0; i < n; i++)
        for (size_t j = i; j < n; j++)
            averages[(*count)++] = (x[i] + x[j]) / 2;
    qsort(averages, *count, sizeof *averages, compare);
    return averages;
}

enum values { SMOOTH, TIED, CLUSTERED, VALUES };

static double draw(enum values values, uint64_t seed, uint64_t i) {
    const double u = uniform(seed, i);
    switch (values) {
    case SMOOTH: /* about zero, as log ratios are */
        return u - 0.4;
    case TIED: /* seven values, zero among them */
        return floor(7 * u) - 3;
    default: /* far apart in size, of both signs */
        return (u < 0.5 ? -1 : 1) * ldexp(u, (int)(40 * uniform(seed + 1, i)) - 20);
    }
}

/* To the bit: the bisection must end on the very averages that listing finds. */
TEST(same_as_listing_every_walsh_average) {
    for (uint64_t trial = 0; trial < 240; trial++) {
        const size_t n = 1 + seed_derive(2, SEED_ORDER, trial) % (trial % 8 ? 60 : 150);
        double x[150];
        for (size_t i = 0; i < n; i++)
            x[i] = draw((enum values)(trial % VALUES), 100 + trial, i);
        size_t count;
        double *averages = list_walsh(x, n, &count);
        assert_true(stats_hodges_lehmann(x, n) ==
                    (averages[(count - 1) / 2] + averages[count / 2]) / 2);
        free(averages);
    }
}

/* numpy: (np.quantile(x, 0.75) - np.quantile(x, 0.25)) / (2 * scipy.stats.norm.ppf(0.75)). */
TEST(quartiles_tell_the_scatter) {
    const double x[] = {4, 1, 3, 2, 1e9}, infinite[] = {1, 2, INFINITY};
    assert_double_near(stats_quartile_sd(x, 5), 2 / 1.3489795003921634, 1e-15);
    assert_double_near(stats_quartile_sd(x, 2), 1.5 / 1.3489795003921634, 1e-15);
    assert_nan(stats_quartile_sd(x, 1));
    assert_nan(stats_quartile_sd(infinite, 3));
}

TEST(equal_values_are_the_estimate) {
    const double zeros[] = {-0.0, -0.0, 0.0, -0.0, 0.0, -0.0, 0.0};
    assert_true(stats_hodges_lehmann(zeros, 7) == 0 && !signbit(stats_hodges_lehmann(zeros, 7)));
    const double same[] = {-1.5, -1.5, -1.5, -1.5, -1.5, -1.5};
    assert_true(stats_hodges_lehmann(same, 6) == -1.5);
}

/* x = 0..n-1 over 1024. Listing all averages would take 160 GB. */
TEST(many_values) {
    const size_t n = 200000;
    double *x = malloc(n * sizeof *x);
    assert_non_null(x);
    for (size_t i = 0; i < n; i++)
        x[i] = (double)(i * 77773 % n) / 1024; /* 77773 and n share no factor */
    assert_true(stats_hodges_lehmann(x, n) == (double)(n - 1) / 2048);
    free(x);
}

/* scipy 1.17.1: binomtest(k, n).proportion_ci(0.95, method='wilson'). */
TEST(shares_have_wilsons_interval) {
    static const struct {
        size_t successes, n;
        double low, high;
    } wanted[] = {
        {0, 4, 0, 0.4898908364545973},
        {1, 1, 0.20654931437723745, 1},
        {3, 4, 0.30064184258240184, 0.9544127391902995},
        {4, 4, 0.5101091635454027, 1},
        {13, 82, 0.09505590299299466, 0.2525786692831714},
        {979, 1000, 0.9681097049387624, 0.9862242604320757},
    };
    for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++) {
        const struct stats_interval got =
            stats_wilson((double)wanted[i].successes / (double)wanted[i].n, (double)wanted[i].n);
        assert_double_near(got.estimate, (double)wanted[i].successes / (double)wanted[i].n, 0);
        assert_double_near(got.low, wanted[i].low, wanted[i].low == 0 ? 0 : 1e-14);
        assert_double_near(got.high, wanted[i].high, wanted[i].high == 1 ? 0 : 1e-14);
    }
    const struct stats_interval none = stats_wilson(0, 0);
    assert_true(isnan(none.estimate) && isnan(none.low) && isnan(none.high));
}

TEST(ranks_are_compared) {
    static const double up[] = {1, 2, 3}, down[] = {9, 8, -7}, same[] = {4, 4, 4};
    assert_double_near(stats_rank_correlation(up, up, 3), 1, 1e-12);
    assert_double_near(stats_rank_correlation(up, down, 3), -1, 1e-12);
    assert_true(isnan(stats_rank_correlation(up, same, 3)));
    assert_true(isnan(stats_rank_correlation(up, down, 1)));
    assert_true(isnan(stats_rank_correlation(up, down, 0)));
}

/* scipy 1.x: spearmanr(x, y)[0] of lists with ties. */
TEST(ties_share_their_rank) {
    static const double x[] = {0.25, -0.1, 0.5, 0.0625, 0.25, -0.3},
                        y[] = {0.1, -0.2, 0.1, 0.3, 0.05, -0.4};
    static const double a[] = {1, 2, 2, 3}, b[] = {3, 2, 1, 1};
    double many[50], others[50];
    assert_double_near(stats_rank_correlation(x, y, 6), 0.6029411764705883, 1e-12);
    assert_double_near(stats_rank_correlation(a, b, 4), -0.8333333333333335, 1e-12);
    for (int i = 0; i < 50; i++) {
        many[i] = (i * 37 % 101) / 10.0;
        others[i] = (i * i * 13 % 29) / 10.0;
    }
    assert_double_near(stats_rank_correlation(many, others, 50), 0.0757515673138389, 1e-12);
}
