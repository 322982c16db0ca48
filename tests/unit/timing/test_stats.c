
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
    const struct stats_interval none = stats_hodges_lehmann(few, 0, 0.95);
    assert_true(isnan(none.estimate) && isnan(none.low) && isnan(none.high));
    assert_true(isnan(stats_hodges_lehmann(infinite, 4, 0.95).estimate));
}

/* Hollander, Wolfe & Chicken, 3rd ed., table 3.1 (Hamilton depression scale factor IV, nine
 * patients) and examples 3.1, 3.3 and 3.4: estimate -0.46, 96 % interval (-0.786, -0.010). */
TEST(depression_data) {
    const double first[] = {1.83, 0.50, 1.62, 2.48, 1.68, 1.88, 1.55, 3.06, 1.30};
    const double second[] = {0.878, 0.647, 0.598, 2.05, 1.06, 1.29, 1.06, 3.14, 1.29};
    double change[9];
    for (int i = 0; i < 9; i++)
        change[i] = second[i] - first[i];
    const struct stats_interval result = stats_hodges_lehmann(change, 9, 0.96);
    assert_double_near(result.estimate, -0.46, 1e-12);
    assert_double_near(result.low, -0.786, 1e-12);
    assert_double_near(result.high, -0.010, 1e-12);
}

/* x = 1, 3, 9, ...: every Walsh average differs, so a bound's place among them is its rank.
 * Published critical values T of the two-sided 5 % signed-rank test (Wilcoxon & Wilcox 1964, table
 * 2); the lower bound is average T + 1. Powers of 3 are exact up to n = 30. */
TEST(bounds_stand_at_the_published_ranks) {
    static const int critical[][2] = {{6, 0},   {7, 2},   {8, 3},    {9, 5},   {10, 8},
                                      {12, 13}, {15, 25}, {16, 29},  {18, 40}, {20, 52},
                                      {22, 65}, {25, 89}, {28, 116}, {30, 137}};
    for (size_t i = 0; i < sizeof critical / sizeof *critical; i++) {
        const int n = critical[i][0];
        double x[30];
        for (int j = 0; j < n; j++)
            x[j] = pow(3, j);
        const struct stats_interval result = stats_hodges_lehmann(x, (size_t)n, 0.95);
        int below_low = 0, above_high = 0;
        for (int j = 0; j < n; j++)
            for (int l = j; l < n; l++) {
                below_low += (x[j] + x[l]) / 2 < result.low;
                above_high += (x[j] + x[l]) / 2 > result.high;
            }
        assert_int_equal(below_low, critical[i][1]);
        assert_int_equal(above_high, critical[i][1]);
    }
}

TEST(too_few_for_the_confidence) {
    for (size_t n = 1; n <= 6; n++) {
        const struct stats_interval result = stats_hodges_lehmann(few, n, 0.95);
        assert_true(isfinite(result.estimate));
        assert_int_equal(isinf(result.low) && result.low < 0, n < 6);
        assert_int_equal(isinf(result.high) && result.high > 0, n < 6);
    }
    /* 2^-3 in each tail is just 0.75. */
    assert_true(isfinite(stats_hodges_lehmann(few, 3, 0.75).low));
    assert_true(isinf(stats_hodges_lehmann(few, 3, 0.7501).low));
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

/* The largest c with P(T+ < c) <= 0.025, for n <= 50 by counting subsets in integers, above by
 * floor(mean + 1/2 - 1.959964 sd), with scipy.stats.norm.ppf(0.975). */
static size_t critical_rank(size_t n) {
    if (n > 50) {
        const double size = (double)n, mean = size * (size + 1) / 4;
        return (size_t)(mean + 0.5 - 1.959963984540054 * sqrt(mean * (2 * size + 1) / 6));
    }
    static uint64_t ways[51][1276];
    memset(ways, 0, sizeof ways);
    ways[0][0] = 1;
    for (size_t rank = 1; rank <= n; rank++)
        for (size_t sum = 0; sum <= n * (n + 1) / 2; sum++)
            ways[rank][sum] = ways[rank - 1][sum] + (sum >= rank ? ways[rank - 1][sum - rank] : 0);
    uint64_t cumulative = 0;
    size_t c = 0;
    while ((cumulative += ways[n][c]) * 40 <= (uint64_t)1 << n)
        c++;
    return c;
}

/* scipy: the same two computations in Python integers and scipy.stats.norm. */
TEST(critical_ranks_of_the_tests_own) {
    assert_int_equal(critical_rank(10), 9);
    assert_int_equal(critical_rank(40), 265);
    assert_int_equal(critical_rank(50), 435);
    assert_int_equal(critical_rank(51), 454);
    assert_int_equal(critical_rank(200), 8444);
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
        const struct stats_interval result = stats_hodges_lehmann(x, n, 0.95);
        const size_t c = critical_rank(n);
        assert_true(result.estimate == (averages[(count - 1) / 2] + averages[count / 2]) / 2);
        assert_true(result.low == (c > 0 ? averages[c - 1] : -INFINITY));
        assert_true(result.high == (c > 0 ? averages[count - c] : INFINITY));
        free(averages);
    }
}

TEST(equal_values_have_no_width) {
    const double zeros[] = {-0.0, -0.0, 0.0, -0.0, 0.0, -0.0, 0.0};
    struct stats_interval result = stats_hodges_lehmann(zeros, 7, 0.95);
    assert_true(result.estimate == 0 && result.low == 0 && result.high == 0);
    assert_false(signbit(result.low) || signbit(result.estimate));
    const double same[] = {-1.5, -1.5, -1.5, -1.5, -1.5, -1.5};
    result = stats_hodges_lehmann(same, 6, 0.95);
    assert_true(result.estimate == -1.5 && result.low == -1.5 && result.high == -1.5);
}

/* x = 0..n-1 over 1024: with s < n, floor((s + 2)^2 / 4) averages are at most s / 2048, and
 * 9949443758 is the critical rank, floor(mean + 1/2 - scipy.stats.norm.ppf(0.975) sd). Listing
 * would take 160 GB. */
TEST(many_values) {
    const size_t n = 200000;
    double *x = malloc(n * sizeof *x);
    assert_non_null(x);
    for (size_t i = 0; i < n; i++)
        x[i] = (double)(i * 77773 % n) / 1024; /* 77773 and n share no factor */
    const struct stats_interval result = stats_hodges_lehmann(x, n, 0.95);
    free(x);
    uint64_t s = 0;
    while ((s + 2) * (s + 2) / 4 < 9949443758)
        s++;
    assert_true(result.low == (double)s / 2048);
    assert_true(result.high == (double)(2 * (n - 1) - s) / 2048);
    assert_true(result.estimate == (double)(n - 1) / 2048);
}

/* How often the interval of n logistic values about 1 holds 1, of 2,000 times. */
static int times_covered(size_t n, double confidence) {
    int covered = 0;
    for (uint64_t trial = 0; trial < 2000; trial++) {
        double x[200];
        for (size_t i = 0; i < n; i++) {
            const double u = uniform(trial, i) + 0x1p-54;
            x[i] = 1 + log(u / (1 - u));
        }
        const struct stats_interval result = stats_hodges_lehmann(x, n, confidence);
        covered += result.low <= 1 && 1 <= result.high;
    }
    return covered;
}

/* scipy.stats.binom.ppf([0.0005, 0.9995], 2000, 0.95) = 1867, 1931; at n = 10 the least coverage
 * that the discrete statistic has is 0.951. A 92 % interval falls out of that band. */
TEST(interval_covers_as_often_as_it_says) {
    assert_in_range(times_covered(10, 0.95), 1867, 1931);
    assert_in_range(times_covered(40, 0.95), 1867, 1931);
    assert_in_range(times_covered(200, 0.95), 1867, 1931);
    assert_not_in_range(times_covered(40, 0.92), 1867, 1931);
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
