
#include <math.h>

#include "tests/support/doubles.h"
#include "tests/support/draws.h"
#include "tests/support/test.h"
#include "timing/stats.h"

enum { N = 200, TIMES = 2000 };

/* below values about 1 and the others about upper, each group evenly over +-spread. */
static struct modality two_groups(size_t n, size_t below, double upper, double spread,
                                  double tick) {
    double x[1000];
    for (size_t i = 0; i < n; i++) {
        const size_t group = i < below ? below : n - below, place = i < below ? i : i - below;
        const double offset = (2 * (double)place + 1) / (double)group - 1;
        x[i] = (i < below ? 1 : upper) + spread * offset;
    }
    return modality_split(x, n, tick);
}

/* By hand: 1, 2, 3 and 11, 12, 13, 14; sd 1 and sqrt(5/3). */
TEST(by_hand) {
    const double x[] = {1, 2, 3, 11, 12, 13, 14};
    const struct modality result = modality_split(x, 7, 0);
    assert_double_near(result.lower_mean, 2, 0);
    assert_double_near(result.upper_mean, 12.5, 0);
    assert_double_near(result.upper_share, 4.0 / 7, 1e-15);
    assert_double_near(result.d, sqrt(2) * 10.5 / sqrt(1 + 5.0 / 3), 1e-13);
    assert_false(result.bimodal);
}

static double squares_about_mean(const double *x, size_t n) {
    double squares = 0;
    for (size_t i = 0; i < n; i++)
        squares += pow(x[i] - stats_mean(x, n), 2);
    return squares;
}

/* Every split tried, the sums of squares taken afresh. */
TEST(split_is_the_best_of_all) {
    uint64_t random = 1;
    for (int trial = 0; trial < 100; trial++) {
        double x[40];
        const size_t n = 2 + draw_bits(&random) % 39;
        for (size_t i = 0; i < n; i++)
            x[i] = 1e-5 * exp(draw_normal(&random));
        stats_sort(x, n);
        size_t best = 1;
        for (size_t i = 2; i < n; i++)
            if (squares_about_mean(x, i) + squares_about_mean(x + i, n - i) <
                squares_about_mean(x, best) + squares_about_mean(x + best, n - best))
                best = i;
        assert_double_near(modality_split(x, n, 0).upper_share, (double)(n - best) / (double)n, 0);
    }
}

/* Cut at its mean, a uniform distribution has sqrt(12) and a normal one sqrt(8 / (pi - 2)). */
TEST(known_separations) {
    static double x[20000];
    for (int i = 0; i < 20000; i++)
        x[i] = i;
    assert_double_near(modality_split(x, 20000, 0).d, sqrt(12), 1e-3);
    uint64_t random = 1;
    for (int i = 0; i < 20000; i++)
        x[i] = 10 + draw_normal(&random);
    stats_sort(x, 20000);
    assert_double_near(modality_split(x, 20000, 0).d, sqrt(8 / (M_PI - 2)), 0.05);
}

/* Each rule alone keeps what the rules around it let pass. */
TEST(rules) {
    assert_true(two_groups(200, 140, 1.1, 0.01, 0).bimodal);
    assert_true(two_groups(20, 18, 1.1, 0.01, 0).bimodal); /* just enough values, and a tenth */
    assert_false(two_groups(19, 12, 1.1, 0.01, 0).bimodal);
    assert_false(two_groups(200, 181, 1.1, 0.01, 0).bimodal);
    assert_false(two_groups(200, 19, 1.1, 0.01, 0).bimodal);
    assert_true(two_groups(200, 140, 1.021, 0.001, 0).bimodal);
    assert_false(two_groups(200, 140, 1.019, 0.001, 0).bimodal);
    assert_true(two_groups(200, 140, 1.1, 0.01, 0.033).bimodal);
    assert_false(two_groups(200, 140, 1.1, 0.01, 0.034).bimodal);
    /* d is 0.1 sqrt(3) / spread. */
    assert_true(two_groups(200, 100, 1.1, 0.042, 0).bimodal);
    assert_false(two_groups(200, 100, 1.1, 0.045, 0).bimodal);
}

TEST(few_or_equal_values) {
    double x[30];
    for (int i = 0; i < 30; i++)
        x[i] = 0.1;
    const struct modality same = modality_split(x, 30, 0);
    assert_double_near(same.lower_mean, 0.1, 1e-15);
    assert_double_near(same.upper_mean, 0.1, 1e-15);
    assert_false(same.bimodal);
    for (size_t n = 0; n < 3; n++) {
        const struct modality result = modality_split(x, n, 0);
        assert_true(isnan(result.d));
        assert_false(result.bimodal);
        assert_int_equal(isnan(result.lower_mean) && isnan(result.upper_mean), n < 2);
    }
    /* Two values alone are as clear as groups can be. */
    for (int i = 15; i < 30; i++)
        x[i] = 0.2;
    const struct modality two = modality_split(x, 30, 0.03);
    assert_true(isinf(two.d) && two.bimodal);
}

enum kind { NORMAL, LOGNORMAL, TICKED, TICKED_SHORT, MIXED };

/* Seconds, in ticks of 32 ns where so said. */
static double draw(enum kind kind, uint64_t *random) {
    const double tick = 32e-9, z = draw_normal(random);
    switch (kind) {
    case NORMAL:
        return 1e-5 * (1 + 0.05 * z);
    case LOGNORMAL:
        return 1e-5 * exp(0.2 * z);
    case TICKED:
        return tick * rint((4e-6 + tick * z) / tick);
    case TICKED_SHORT: /* a tick is 3 % of these, and they take two values */
        return tick * rint((1.008e-6 + tick / 5 * z) / tick);
    default:
        return 1e-5 * (draw_uniform(random) < 0.7 ? 1 : 1.1) * (1 + 0.01 * z);
    }
}

/* Of TIMES samples. */
static int times_bimodal(enum kind kind, double tick) {
    uint64_t random = 4;
    int found = 0;
    for (int trial = 0; trial < TIMES; trial++) {
        double x[N];
        for (int i = 0; i < N; i++)
            x[i] = draw(kind, &random);
        stats_sort(x, N);
        found += modality_split(x, N, tick).bimodal;
    }
    return found;
}

TEST(one_mode_is_not_two) {
    assert_in_range(times_bimodal(NORMAL, 0), 0, TIMES / 100);
    assert_in_range(times_bimodal(LOGNORMAL, 0), 0, TIMES / 100);
    assert_in_range(times_bimodal(TICKED, 32e-9), 0, TIMES / 100);
    assert_in_range(times_bimodal(TICKED_SHORT, 32e-9), 0, TIMES / 100);
    /* With the clock's step untold they would be. */
    assert_in_range(times_bimodal(TICKED_SHORT, 0), TIMES / 2, TIMES);
}

TEST(two_modes_are_found) {
    assert_in_range(times_bimodal(MIXED, 32e-9), TIMES * 99 / 100, TIMES);
}
