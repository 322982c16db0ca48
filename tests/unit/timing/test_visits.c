
#include <math.h>

#include "tests/support/doubles.h"
#include "tests/support/draws.h"
#include "tests/support/test.h"
#include "timing/stats.h"
#include "timing/visits.h"

/* Dyestuff (Davies & Goldsmith 1972, table 6.3), six batches of five yields: by lme4 1.1 (Bates et
 * al. 2015) the standard deviations are 42.00 between batches and 49.51 within. The interval
 * by R, as in visits_alike: Student's. */
TEST(dyestuff) {
    const double yields[] = {1545, 1440, 1440, 1520, 1580, 1540, 1555, 1490, 1560, 1495,
                             1595, 1550, 1605, 1510, 1560, 1445, 1440, 1595, 1465, 1545,
                             1595, 1630, 1515, 1635, 1625, 1520, 1455, 1450, 1480, 1445};
    const size_t sizes[] = {5, 5, 5, 5, 5, 5};
    struct visits result = visits_combine(yields, sizes, 6, 0.9);
    assert_double_near(result.between_sd, 42.00059523387734, 1e-10);
    assert_double_near(result.within_sd, 49.51009997970111, 1e-10);
    assert_double_near(result.estimate, 1527.9166666666667, 1e-10);
    assert_double_near(result.low, 1485.083720507325, 1e-9);
    assert_double_near(result.high, 1570.749612826009, 1e-9);
    assert_double_near(result.own.variance, 2711.041666666667, 1e-9);
    assert_double_near(result.own.freedom, 5, 0);
    assert_double_near(result.plain_error, 34.56431978150497, 1e-10);
    assert_double_near(result.likely_half, 165.7972113088087, 1e-9);
    assert_int_equal(result.count, 6);
    assert_false(result.within_one_process);
    assert_double_near(result.lag1, -0.3635496310207074, 1e-12);
    assert_double_near(result.effective, 25.025125628140703, 1e-12);
    /* Five values a visit have no 95 % interval of their own; the visits have: sqrt(2711.04 / 6)
     * times t(0.975, 5). */
    result = visits_combine(yields, sizes, 6, 0.95);
    assert_double_near(result.estimate, 1527.9166666666667, 1e-10);
    assert_double_near(result.high - result.estimate, 54.641662612730, 1e-9);
    assert_double_near(result.estimate - result.low, 54.641662612730, 1e-9);
    assert_nan(result.plain_error);
    assert_double_near(result.likely_half, INFINITY, 0);
}

/* Two processes a visit. The third visit has the first process alone and counts for nothing. Estimates
 * are Hodges and Lehmann's: 2, 5 and 4 above, 1 and 2 below; variances add. */
TEST(a_difference_of_two_processes) {
    const double above[] = {1, 2, 3, 4, 5, 6, 4, 4}, below[] = {0, 1, 2, 2, 2, 2, 2};
    const size_t sizes[2][4] = {{3, 3, 2, 0}, {3, 4, 0, 0}};
    const struct visits_values first = {above, sizes[0]}, second = {below, sizes[1]};
    const struct visits result = visits_difference(&first, &second, 4, 0.95);
    assert_int_equal(result.count, 2);
    assert_double_near(result.estimate, (1 + 3) / 2.0, 1e-12);
    assert_double_near(result.own.variance, 2, 1e-12);
    assert_double_near(result.own.freedom, 1, 0);
    /* Standard deviations 1 and 1, then 1 and 0: two variances of three values each, then one. */
    assert_double_near(result.within_sd, sqrt((2 * 2 + 2 * 1) / 4.0), 1e-12);
    const struct visits one = visits_difference(&first, &second, 1, 0.95);
    assert_true(one.within_one_process);
    assert_double_near(one.estimate, 1, 1e-12);
    const struct visits none = visits_difference(&first, &second, 0, 0.95);
    assert_nan(none.estimate);
}

/* The errors of both processes are in that of the difference. */
TEST(errors_within_both_processes_add) {
    double x[20], y[20];
    const size_t size = 20;
    for (int i = 0; i < 20; i++) {
        x[i] = sin(1.3 * i);
        y[i] = 3 * sin(2.1 * i);
    }
    const struct visits a = visits_combine(x, &size, 1, 0.95),
                        b = visits_combine(y, &size, 1, 0.95);
    const struct visits difference = visits_difference(&(struct visits_values){x, &size},
                                                       &(struct visits_values){y, &size}, 1, 0.95);
    assert_double_near(difference.plain_error, hypot(a.plain_error, b.plain_error), 1e-12);
    assert_double_near(difference.high - difference.low, hypot(a.high - a.low, b.high - b.low),
                       1e-12);
}

static const size_t wave_sizes[] = {9, 0, 12, 19, 0};
enum { WAVE = 40, WAVE_VISITS = 5 };

/* Rises and falls slowly: dependent. The first visit with values and the last are moved. */
static void wave_fill(double x[WAVE], double first, double last) {
    for (int i = 0; i < WAVE; i++)
        x[i] = sin(0.7 * i) + 0.1 * (i % 3) + (i < 9 ? first : i < 21 ? 0 : last);
}

/* Visits by R 4.2.2: within each as in test_within.c; qt(0.975, R - 1) * sqrt(var(estimates) / R)
 * or, where wider, qnorm(0.975) * sqrt(mean(errors^2) / R). One visit is within.h's. */
TEST(one_visit) {
    double x[WAVE];
    const size_t size = WAVE;
    wave_fill(x, 0, 0);
    const struct visits result = visits_combine(x, &size, 1, 0.95);
    assert_double_near(result.estimate, 0.15945691959017164, 1e-13);
    assert_double_near(result.low, -0.03424645052145778, 1e-12);
    assert_double_near(result.high, 0.3822636315519901, 1e-12);
    assert_double_near(result.plain_error, 0.1184294105708894, 1e-12);
    assert_double_near(result.likely_half, 0.8179062429822109, 1e-12);
    assert_true(result.within_one_process);
    assert_int_equal(result.count, 1);
    assert_nan(result.own.variance);
    assert_double_near(result.own.freedom, 0, 0);
    /* (0.38226 + 0.03425) / 2 over t(0.975, 4) */
    assert_double_near(sqrt(result.used.variance), 0.20825504103672394 / 2.7764451051977934, 1e-12);
    assert_double_near(result.used.freedom, 4, 0);
    assert_double_near(result.lag1, 0.7408347086819609, 1e-13);
    assert_double_near(result.effective, 3.221575120719947, 1e-11);
    assert_true(isnan(result.between_sd));
    assert_double_near(result.within_sd, stats_sd(x, WAVE), 1e-15);
}

TEST(visits_alike) {
    double x[WAVE];
    wave_fill(x, 0, 0);
    const struct visits result = visits_combine(x, wave_sizes, WAVE_VISITS, 0.95);
    assert_double_near(result.estimate, 0.17348426591819918, 1e-13);
    assert_double_near(result.low, -0.1325912170868606, 1e-12); /* blocks'; Student's is +-0.106 */
    assert_double_near(result.high, 0.479559748923259, 1e-12);
    assert_double_near(result.own.variance, 0.001835589585562442, 1e-13);
    assert_double_near(result.used.variance, 0.001835589585562442, 1e-13);
    assert_double_near(result.plain_error, 0.2704836883216281, 1e-12);
    assert_double_near(result.likely_half, 4.062461300728444, 1e-11);
    assert_int_equal(result.count, 3);
    assert_double_near(result.lag1, 0.705048971506482, 1e-13);
    assert_double_near(result.effective, 0.4142291216845634, 1e-12);
    assert_double_near(result.within_sd, 0.7379504023265485, 1e-13);
    assert_double_near(result.between_sd, 0, 0); /* the component is -0.04 */
}

TEST(visits_apart) {
    double x[WAVE];
    wave_fill(x, 2, 5);
    const struct visits result = visits_combine(x, wave_sizes, WAVE_VISITS, 0.95);
    assert_double_near(result.estimate, 2.5068175992515322, 1e-12);
    assert_double_near(result.low, -3.6712766691665446, 1e-11); /* Student's */
    assert_double_near(result.high, 8.684911867669609, 1e-11);
    assert_double_near(result.within_sd, 0.7379504023265485, 1e-12);
    assert_double_near(result.between_sd, 2.46475570976794, 1e-12);
}

/* The same with one visit of fewer than six blocks: it has no interval, and takes none away. */
TEST(a_short_visit_costs_nothing) {
    double x[WAVE];
    wave_fill(x, 2, 5);
    const size_t sizes[] = {9, 12, 14, 5};
    const struct visits result = visits_combine(x, sizes, 4, 0.95);
    assert_true(isfinite(result.low) && isfinite(result.high));
    assert_true(isfinite(result.plain_error) && isfinite(result.likely_half));
    assert_double_near(result.own.freedom, 3, 0);
    const size_t without[] = {9, 12, 14};
    const struct visits three = visits_combine(x, without, 3, 0.95);
    assert_double_near(result.plain_error, three.plain_error, 1e-15);
}

TEST(nothing_is_nan) {
    const size_t empty[] = {0, 0};
    const double x[] = {1, 2, NAN, 3, 4, 5, 6};
    const size_t size = 7, ones[] = {1, 1};
    struct visits result = visits_combine(x, empty, 2, 0.95);
    assert_true(isnan(result.estimate) && isnan(result.low) && isnan(result.high));
    assert_true(isnan(result.used.variance) && result.used.freedom == 0);
    assert_true(isnan(result.own.variance) && result.own.freedom == 0 && result.count == 0);
    result = visits_combine(NULL, NULL, 0, 0.95);
    assert_true(isnan(result.estimate) && isnan(result.low) && isnan(result.high));
    result = visits_combine(x, &size, 1, 0.95);
    assert_true(isnan(result.estimate) && isnan(result.low) && isnan(result.high));
    result = visits_combine(x, ones, 2, 0.95);
    assert_double_near(result.estimate, 1.5, 0);
    assert_double_near(result.high - 1.5, 12.706204736174694 / 2,
                       1e-12); /* t(0.975, 1) sqrt(0.5 / 2) */
    assert_true(isnan(result.within_sd) && isnan(result.between_sd) && isnan(result.lag1));
    /* A visit of two values has no lag-1 value; 4, 5, 7 has (4 - 5) / (16 + 1 + 25). */
    const size_t mixed[] = {2, 3};
    const double values[] = {1, 2, 4, 5, 7};
    result = visits_combine(values, mixed, 2, 0.95);
    assert_double_near(result.lag1, -1.0 / 42, 1e-14);
    assert_double_near(result.effective, 5, 0);
}

enum { TIMES = 1000, BLOCKS = 90, VISITS = 5, VISIT_BLOCKS = 20 };

struct covered {
    int combined, plain; /* of TIMES; plain: the interval of stats.h over all values */
};

/* One visit about 1, each value phi times the one before it plus noise. */
static struct covered one_visit_covers(double phi) {
    uint64_t random = 1;
    struct covered covered = {0, 0};
    for (int trial = 0; trial < TIMES; trial++) {
        double x[BLOCKS], noise = draw_normal(&random) / sqrt(1 - phi * phi);
        for (int i = 0; i < BLOCKS; i++) {
            x[i] = 1 + noise;
            noise = phi * noise + draw_normal(&random);
        }
        const size_t size = BLOCKS;
        const struct visits combined = visits_combine(x, &size, 1, 0.95);
        covered.combined += combined.low <= 1 && 1 <= combined.high;
        const struct stats_interval plain = stats_hodges_lehmann(x, BLOCKS, 0.95);
        covered.plain += plain.low <= 1 && 1 <= plain.high;
    }
    return covered;
}

/* Were it 95 %, scipy 1.17 says scipy.stats.binom.ppf([0.0005, 0.9995], 1000, 0.95) = 926, 971. */
TEST(independent_values_are_covered) {
    assert_in_range(one_visit_covers(0).combined, 926, 971);
}

/* Half a value's noise goes on to the next: the plain interval is sqrt(3) too narrow. */
TEST(dependent_values_are_covered) {
    const struct covered covered = one_visit_covers(0.5);
    assert_in_range(covered.combined, 915, 971);
    assert_in_range(covered.plain, 0, 800);
}

/* An effect of 2 %, which varies as much from visit to visit and 1 % from block to block. */
TEST(varying_visits_are_covered) {
    const double effect = 0.02;
    uint64_t random = 2;
    struct covered covered = {0, 0};
    for (int trial = 0; trial < TIMES; trial++) {
        double x[VISITS * VISIT_BLOCKS];
        size_t sizes[VISITS];
        for (int r = 0; r < VISITS; r++) {
            const double mean = effect + 0.02 * draw_normal(&random);
            for (int i = 0; i < VISIT_BLOCKS; i++)
                x[r * VISIT_BLOCKS + i] = mean + 0.01 * draw_normal(&random);
            sizes[r] = VISIT_BLOCKS;
        }
        const struct visits combined = visits_combine(x, sizes, VISITS, 0.95);
        covered.combined += combined.low <= effect && effect <= combined.high;
        const struct stats_interval plain = stats_hodges_lehmann(x, VISITS * VISIT_BLOCKS, 0.95);
        covered.plain += plain.low <= effect && effect <= plain.high;
    }
    assert_in_range(covered.combined, 920, 980);
    assert_in_range(covered.plain, 0, 500);
}
