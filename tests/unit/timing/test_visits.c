
#include <math.h>

#include "tests/support/doubles.h"
#include "tests/support/draws.h"
#include "tests/support/test.h"
#include "timing/stats.h"
#include "timing/visits.h"

/* Dyestuff (Davies & Goldsmith 1972, table 6.3), six batches of five yields: Student's interval of the
 * batches' Hodges-Lehmann estimates by scipy 1.17, sqrt(2711.04 / 6) times t(0.95 and 0.975, 5), and the
 * root mean square of the batches' standard errors by their quartiles. */
TEST(dyestuff) {
    const double yields[] = {1545, 1440, 1440, 1520, 1580, 1540, 1555, 1490, 1560, 1495,
                             1595, 1550, 1605, 1510, 1560, 1445, 1440, 1595, 1465, 1545,
                             1595, 1630, 1515, 1635, 1625, 1520, 1455, 1450, 1480, 1445};
    const size_t sizes[] = {5, 5, 5, 5, 5, 5};
    struct visits result = visits_combine(yields, sizes, 6, 0.9);
    assert_double_near(result.estimate, 1527.9166666666667, 1e-10);
    assert_double_near(result.low, 1485.083720507325, 1e-9);
    assert_double_near(result.high, 1570.749612826009, 1e-9);
    assert_double_near(result.own.variance, 2711.041666666667, 1e-9);
    assert_double_near(result.own.freedom, 5, 0);
    assert_double_near(result.block_error, 22.95840372828156, 1e-10);
    assert_double_near(visits_least_half(&result, 0.9), 15.4167674115559, 1e-9);
    assert_int_equal(result.count, 6);
    result = visits_combine(yields, sizes, 6, 0.95);
    assert_double_near(result.high - result.estimate, 54.641662612730, 1e-9);
    assert_double_near(result.estimate - result.low, 54.641662612730, 1e-9);
}

/* Two processes a visit. The third visit has the first process alone and counts for nothing. Estimates
 * are Hodges and Lehmann's: 2, 5 and 4 above, 1 and 2 below; variances add. */
TEST(a_difference_of_two_processes) {
    const double above[] = {1, 2, 3, 4, 5, 6, 4, 4}, below[] = {0, 1, 2, 2, 2, 2, 2};
    const size_t sizes[2][4] = {{3, 3, 2, 0}, {3, 4, 0, 0}};
    const struct visits_values first = {.x = above, .sizes = sizes[0]},
                               second = {.x = below, .sizes = sizes[1]};
    const struct visits result = visits_difference(&first, &second, 4, 0.95);
    assert_int_equal(result.count, 2);
    assert_double_near(result.estimate, (1 + 3) / 2.0, 1e-12);
    assert_double_near(result.own.variance, 2, 1e-12);
    assert_double_near(result.own.freedom, 1, 0);
    /* Interquartile ranges of 1 and 1, of three values each, then 1 and 0. */
    assert_double_near(result.block_error, sqrt((2 / 3.0 + 1 / 3.0) / 2) / 1.3489795003921634,
                       1e-12);
    const struct visits one = visits_difference(&first, &second, 1, 0.95);
    assert_double_near(one.estimate, 1, 1e-12);
    const struct visits none = visits_difference(&first, &second, 0, 0.95);
    assert_nan(none.estimate);
}

static const size_t wave_sizes[] = {9, 0, 12, 19, 0};
enum { WAVE = 40, WAVE_VISITS = 5 };

/* Rises and falls slowly: dependent. The first visit with values and the last are moved. */
static void wave_fill(double x[WAVE], double first, double last) {
    for (int i = 0; i < WAVE; i++)
        x[i] = sin(0.7 * i) + 0.1 * (i % 3) + (i < 9 ? first : i < 21 ? 0 : last);
}

/* It shows nothing of another process. */
TEST(one_visit_has_no_interval) {
    double x[WAVE];
    const size_t size = WAVE;
    wave_fill(x, 0, 0);
    const struct visits result = visits_combine(x, &size, 1, 0.95);
    assert_double_near(result.estimate, 0.15945691959017164, 1e-13);
    assert_true(isinf(result.low) && result.low < 0 && isinf(result.high) && result.high > 0);
    assert_int_equal(result.count, 1);
    assert_nan(result.own.variance);
    assert_double_near(result.own.freedom, 0, 0);
    assert_double_near(result.block_error, stats_quartile_sd(x, WAVE) / sqrt(WAVE), 1e-15);
    assert_double_near(visits_least_half(&result, 0.95), 0.2781112585807934, 1e-12);
}

/* By scipy 1.17: t(0.975, 2) * sqrt(variance of the estimates / 3) is 0.106, and the blocks' is wider:
 * norm(0.975) * sqrt(mean(errors^2) / 3). */
TEST(visits_alike) {
    double x[WAVE];
    wave_fill(x, 0, 0);
    const struct visits result = visits_combine(x, wave_sizes, WAVE_VISITS, 0.95);
    assert_double_near(result.estimate, 0.1734842659181992, 1e-13);
    assert_double_near(result.high - result.estimate, 0.2727548358931877, 1e-12);
    assert_double_near(result.estimate - result.low, 0.2727548358931877, 1e-12);
    assert_double_near(result.own.variance, 0.001835589585562442, 1e-13);
    assert_double_near(result.block_error, 0.2410377116638583, 1e-12);
    assert_int_equal(result.count, 3);
}

TEST(visits_apart) {
    double x[WAVE];
    wave_fill(x, 2, 5);
    const struct visits result = visits_combine(x, wave_sizes, WAVE_VISITS, 0.95);
    assert_double_near(result.estimate, 2.506817599251532, 1e-12);
    assert_double_near(result.high - result.estimate, 6.178094268418075, 1e-11); /* Student's */
}

/* A visit of one block has an estimate and no scatter, and takes none away. */
TEST(a_short_visit_costs_nothing) {
    double x[WAVE];
    wave_fill(x, 2, 5);
    const size_t sizes[] = {9, 12, 14, 1}, without[] = {9, 12, 14};
    const struct visits result = visits_combine(x, sizes, 4, 0.95);
    assert_true(isfinite(result.low) && isfinite(result.high));
    assert_double_near(result.own.freedom, 3, 0);
    const struct visits three = visits_combine(x, without, 3, 0.95);
    assert_double_near(result.block_error, three.block_error, 1e-15);
}

TEST(nothing_is_nan) {
    const size_t empty[] = {0, 0};
    const double x[] = {1, 2, NAN, 3, 4, 5, 6};
    const size_t size = 7, ones[] = {1, 1};
    struct visits result = visits_combine(x, empty, 2, 0.95);
    assert_true(isnan(result.estimate) && isnan(result.low) && isnan(result.high));
    assert_true(isnan(result.own.variance) && result.own.freedom == 0 && result.count == 0);
    result = visits_combine(NULL, NULL, 0, 0.95);
    assert_true(isnan(result.estimate) && isnan(result.low) && isnan(result.high));
    result = visits_combine(x, &size, 1, 0.95);
    assert_true(isnan(result.estimate) && isnan(result.low) && isnan(result.high));
    result = visits_combine(x, ones, 2, 0.95);
    assert_double_near(result.estimate, 1.5, 0);
    assert_double_near(result.high - 1.5, 12.706204736174694 / 2,
                       1e-12); /* t(0.975, 1) sqrt(0.5 / 2) */
    assert_nan(result.block_error);
}

enum { TIMES = 2000, VISITS = 5, VISIT_BLOCKS = 20 };

/* How often the interval of visits holds an effect of 2 %, which varies so much from visit to visit and
 * 1 % from block to block, in per cent; and how often one no wider than the blocks allow. */
struct covered {
    double combined, blocks;
};

static struct covered covered_at(double between) {
    const double effect = 0.02;
    uint64_t random = 2;
    struct covered covered = {0, 0};
    for (int trial = 0; trial < TIMES; trial++) {
        double x[VISITS * VISIT_BLOCKS];
        size_t sizes[VISITS];
        for (int r = 0; r < VISITS; r++) {
            const double mean = effect + between * draw_normal(&random);
            for (int i = 0; i < VISIT_BLOCKS; i++)
                x[r * VISIT_BLOCKS + i] = mean + 0.01 * draw_normal(&random);
            sizes[r] = VISIT_BLOCKS;
        }
        const struct visits row = visits_combine(x, sizes, VISITS, 0.95);
        covered.combined += 100.0 * (row.low <= effect && effect <= row.high) / TIMES;
        covered.blocks +=
            100.0 * (fabs(row.estimate - effect) <= visits_least_half(&row, 0.95)) / TIMES;
    }
    return covered;
}

/* Visits that vary: the blocks know nothing of that. Visits alike: Student's t alone would hold in 95 %,
 * and the floor takes nothing away. */
TEST(intervals_hold) {
    const struct covered apart = covered_at(0.02), alike = covered_at(0);
    assert_double_near(apart.combined, 95, 1.5);
    assert_true(apart.blocks < 30);
    assert_double_near(alike.blocks, 93.5, 2);
    assert_in_range(10 * alike.combined, 960, 990);
}
