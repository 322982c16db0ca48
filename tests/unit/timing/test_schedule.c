
#include <math.h>
#include <string.h>

#include "correctness/numbers/input.h"
#include "tests/support/test.h"
#include "timing/schedule.h"
#include "timing/stats.h"

TEST(shuffle_is_a_permutation) {
    enum { MOST = 300 };
    for (int n = 0; n <= MOST; n += n < 20 ? 1 : 35) {
        int order[MOST + 2], seen[MOST + 1] = {0};
        order[n] = -7;
        schedule_shuffle((uint64_t)n * 1000, n, order);
        for (int i = 0; i < n; i++) {
            assert_in_range(order[i], 0, n - 1);
            assert_int_equal(seen[order[i]]++, 0);
        }
        assert_int_equal(order[n], -7);
    }
}

/* Fisher-Yates inside out over splitmix64, both written again in Python. */
TEST(shuffle_depends_on_the_seed_alone) {
    const int one[10] = {9, 4, 5, 3, 1, 7, 2, 0, 6, 8}, most[7] = {0, 5, 3, 6, 2, 4, 1};
    int order[10];
    schedule_shuffle(1, 10, order);
    assert_memory_equal(order, one, sizeof one);
    schedule_shuffle(UINT64_MAX, 7, order);
    assert_memory_equal(order, most, sizeof most);
}

/* Pearson's statistic over the 24 orders of 4 arms; 57.07 is scipy.stats.chi2.ppf(0.9999, 23). */
TEST(shuffle_is_uniform) {
    enum { DRAWS = 24000 };
    int times[256] = {0}, orders = 0;
    double statistic = 0;
    for (uint64_t i = 0; i < DRAWS; i++) {
        int order[4];
        schedule_shuffle(seed_derive(5, SEED_ORDER, i), 4, order);
        times[order[0] << 6 | order[1] << 4 | order[2] << 2 | order[3]]++;
    }
    for (int i = 0; i < 256; i++) {
        if (times[i] > 0) {
            orders++;
            statistic += (times[i] - DRAWS / 24.0) * (times[i] - DRAWS / 24.0) / (DRAWS / 24.0);
        }
    }
    assert_int_equal(orders, 24);
    assert_true(statistic < 57.07);
}

/* splitmix64 of 0 and of 1234567 begins with 0xe220a8397b1dcdaf and 6457827717110365317 (published
 * with Vigna's code and the Rosetta Code task); then -log1p(-u) in Python. */
TEST(gap_is_the_quantile_of_an_exponential) {
    assert_true(fabs(schedule_gap(0, 1) - 2.148241359348383) < 1e-14);
    assert_true(fabs(schedule_gap(1234567, 1) - 0.4309052959211879) < 1e-15);
    assert_true(schedule_gap(77, 200) == schedule_gap(77, 1) / 200);
}

/* Kolmogorov-Smirnov; 0.01573 is scipy.stats.kstwo.ppf(0.9999, 20000). */
TEST(gaps_are_exponential) {
    enum { DRAWS = 20000 };
    static double gap[DRAWS];
    const double qps = 50;
    double distance = 0;
    for (uint64_t i = 0; i < DRAWS; i++)
        gap[i] = schedule_gap(seed_derive(6, SEED_GAP, i), qps);
    assert_true(fabs(stats_mean(gap, DRAWS) * qps - 1) < 4 / sqrt(DRAWS));
    stats_sort(gap, DRAWS);
    assert_true(gap[0] >= 0 && isfinite(gap[DRAWS - 1]));
    for (int i = 0; i < DRAWS; i++) {
        const double share = -expm1(-gap[i] * qps);
        distance = fmax(distance, fmax(share - (double)i / DRAWS, (i + 1.0) / DRAWS - share));
    }
    assert_true(distance < 0.01573);
}
