#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>

#include "tests/support/draws.h"
#include "timing/rounds.h"
#include "timing/stats.h"

#define CLOSE(got, want, tolerance) assert_true(fabs((got) - (want)) <= (tolerance))

/* t at 0.975: Fisher & Yates 1963, table III, 12.706, 4.303, 2.571, 2.228, 2.042; their digits, and
 * the other rows, by scipy 1.17.1, scipy.stats.t.ppf. */
static void student_quantiles(void **state) {
    (void)state;
    static const double expected[][3] = {
        {0.975, 1, 12.706204736174694},   {0.975, 2, 4.302652729749462},
        {0.975, 5, 2.5705818356363146},   {0.975, 10, 2.228138851986274},
        {0.975, 30, 2.0422724563012378},  {0.975, 1e6, 1.959966356814107},
        {0.95, 4, 2.13184678632665},      {0.9995, 5, 6.868826625881276},
        {1e-12, 3, -10331.108244292487},  {0.025, 10, -2.2281388519862753},
        {0.6, 1000, 0.25341451583949876}, {0.75, 0.5, 1.5537739740300383},
        {1e-12, 1e6, -7.034572608411255},
    };
    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++) {
        const double t = rounds_student_quantile(expected[i][0], expected[i][1]);
        CLOSE(t, expected[i][2], 1e-9 * fabs(expected[i][2]));
    }
    CLOSE(rounds_student_quantile(0.5, 7), 0, 0);
}

static void no_quantile_is_nan(void **state) {
    (void)state;
    assert_true(isnan(rounds_student_quantile(0, 3)));
    assert_true(isnan(rounds_student_quantile(1, 3)));
    assert_true(isnan(rounds_student_quantile(NAN, 3)));
    assert_true(isnan(rounds_student_quantile(0.9, 0)));
    assert_true(isnan(rounds_student_quantile(0.9, INFINITY)));
    assert_true(isnan(rounds_student_quantile(0.9, NAN)));
}

/* Dyestuff (Davies & Goldsmith 1972, table 6.3), six batches of five yields: by lme4 1.1 (Bates et
 * al. 2015) the standard deviations are 42.00 between batches and 49.51 within. The interval by
 * numpy and scipy, as in one_round. The first batch's lag-1 value, 0.11 of five yields, corrects to
 * 0.99, so that the within-round interval is the wider; Student's is +-42.8. */
static void dyestuff(void **state) {
    (void)state;
    const double yields[] = {1545, 1440, 1440, 1520, 1580, 1540, 1555, 1490, 1560, 1495,
                             1595, 1550, 1605, 1510, 1560, 1445, 1440, 1595, 1465, 1545,
                             1595, 1630, 1515, 1635, 1625, 1520, 1455, 1450, 1480, 1445};
    const size_t sizes[] = {5, 5, 5, 5, 5, 5};
    struct rounds result = rounds_combine(yields, sizes, 6, 0.9);
    CLOSE(result.between_sd, 42.00059523387734, 1e-10);
    CLOSE(result.within_sd, 49.51009997970111, 1e-10);
    CLOSE(result.estimate, 1527.9166666666667, 1e-10);
    CLOSE(result.low, 1361.9384008538736, 1e-9);
    CLOSE(result.high, 1693.9053920200606, 1e-9);
    CLOSE(result.lag1, -0.3635496310207074, 1e-12);
    CLOSE(result.effective, 25.025125628140703, 1e-12);
    /* Five values a round have no 95 % interval. */
    result = rounds_combine(yields, sizes, 6, 0.95);
    assert_true(isinf(result.low) && isinf(result.high) && result.low < result.high);
    CLOSE(result.estimate, 1527.9166666666667, 1e-10);
}

static const size_t wave_sizes[] = {9, 0, 12, 19, 0};
enum { WAVE = 40, WAVE_ROUNDS = 5 };

/* Rises and falls slowly: dependent. The first round with values and the last are moved. */
static void wave_fill(double x[WAVE], double first, double last) {
    for (int i = 0; i < WAVE; i++)
        x[i] = sin(0.7 * i) + 0.1 * (i % 3) + (i < 9 ? first : i < 21 ? 0 : last);
}

/* This and the next two by numpy 2.4, scipy 1.17 and statsmodels 0.15: Walsh averages listed, exact
 * critical ranks, half-widths times sqrt(n / effective), acf for lag 1. */
static void one_round(void **state) {
    (void)state;
    double x[WAVE];
    const size_t size = WAVE;
    wave_fill(x, 0, 0);
    const struct rounds result = rounds_combine(x, &size, 1, 0.95);
    CLOSE(result.estimate, 0.15945691959017164, 1e-13);
    CLOSE(result.low, -0.6012987140420417, 1e-12);
    CLOSE(result.high, 1.0345137719223803, 1e-12);
    CLOSE(result.lag1, 0.7408347086819609, 1e-13);
    CLOSE(result.effective, 3.221575120719947, 1e-11);
    assert_true(isnan(result.between_sd));
    CLOSE(result.within_sd, stats_sd(x, WAVE), 1e-15);
}

static void rounds_alike(void **state) {
    (void)state;
    double x[WAVE];
    wave_fill(x, 0, 0);
    const struct rounds result = rounds_combine(x, wave_sizes, WAVE_ROUNDS, 0.95);
    CLOSE(result.estimate, 0.17348426591819918, 1e-13);
    CLOSE(result.low, -3.72630558729266, 1e-11); /* within-round; Student's is +-0.106 */
    CLOSE(result.high, 4.414952384433064, 1e-11);
    CLOSE(result.lag1, 0.705048971506482, 1e-13);
    CLOSE(result.effective, 0.4142291216845634, 1e-12);
    CLOSE(result.within_sd, 0.7379504023265485, 1e-13);
    CLOSE(result.between_sd, 0, 0); /* the component is -0.04 */
}

static void rounds_apart(void **state) {
    (void)state;
    double x[WAVE];
    wave_fill(x, 2, 5);
    const struct rounds result = rounds_combine(x, wave_sizes, WAVE_ROUNDS, 0.95);
    CLOSE(result.estimate, 2.5068175992515322, 1e-12);
    CLOSE(result.low, -3.6712766691665446, 1e-11); /* Student's */
    CLOSE(result.high, 8.684911867669609, 1e-11);
    CLOSE(result.within_sd, 0.7379504023265485, 1e-12);
    CLOSE(result.between_sd, 2.46475570976794, 1e-12);
}

static void nothing_is_nan(void **state) {
    (void)state;
    const size_t empty[] = {0, 0};
    const double x[] = {1, 2, NAN, 3, 4, 5, 6};
    const size_t size = 7, ones[] = {1, 1};
    struct rounds result = rounds_combine(x, empty, 2, 0.95);
    assert_true(isnan(result.estimate) && isnan(result.low) && isnan(result.high));
    result = rounds_combine(NULL, NULL, 0, 0.95);
    assert_true(isnan(result.estimate) && isnan(result.low) && isnan(result.high));
    result = rounds_combine(x, &size, 1, 0.95);
    assert_true(isnan(result.estimate) && isnan(result.low) && isnan(result.high));
    result = rounds_combine(x, ones, 2, 0.95);
    CLOSE(result.estimate, 1.5, 0);
    assert_true(isinf(result.low) && isinf(result.high));
    assert_true(isnan(result.within_sd) && isnan(result.between_sd) && isnan(result.lag1));
    /* A round of two values has no lag-1 value; 4, 5, 7 has (4 - 5) / (16 + 1 + 25). */
    const size_t mixed[] = {2, 3};
    const double values[] = {1, 2, 4, 5, 7};
    result = rounds_combine(values, mixed, 2, 0.95);
    CLOSE(result.lag1, -1.0 / 42, 1e-14);
    CLOSE(result.effective, 5, 0);
}

enum { TIMES = 1000, BLOCKS = 90, ROUNDS = 5, ROUND_BLOCKS = 20 };

struct covered {
    int combined, plain; /* of TIMES; plain: the interval of stats.h over all values */
};

/* One round about 1, each value phi times the one before it plus noise. */
static struct covered one_round_covers(double phi) {
    uint64_t random = 1;
    struct covered covered = {0, 0};
    for (int trial = 0; trial < TIMES; trial++) {
        double x[BLOCKS], noise = draw_normal(&random) / sqrt(1 - phi * phi);
        for (int i = 0; i < BLOCKS; i++) {
            x[i] = 1 + noise;
            noise = phi * noise + draw_normal(&random);
        }
        const size_t size = BLOCKS;
        const struct rounds combined = rounds_combine(x, &size, 1, 0.95);
        covered.combined += combined.low <= 1 && 1 <= combined.high;
        const struct stats_interval plain = stats_hodges_lehmann(x, BLOCKS, 0.95);
        covered.plain += plain.low <= 1 && 1 <= plain.high;
    }
    return covered;
}

/* Were it 95 %, scipy 1.17 says scipy.stats.binom.ppf([0.0005, 0.9995], 1000, 0.95) = 926, 971. */
static void independent_values_are_covered(void **state) {
    (void)state;
    assert_in_range(one_round_covers(0).combined, 926, 971);
}

/* Half a value's noise goes on to the next: the plain interval is sqrt(3) too narrow. */
static void dependent_values_are_covered(void **state) {
    (void)state;
    const struct covered covered = one_round_covers(0.5);
    assert_in_range(covered.combined, 900, 971);
    assert_in_range(covered.plain, 0, 800);
}

/* An effect of 2 %, which varies as much from round to round and 1 % from block to block. */
static void varying_rounds_are_covered(void **state) {
    (void)state;
    const double effect = 0.02;
    uint64_t random = 2;
    struct covered covered = {0, 0};
    for (int trial = 0; trial < TIMES; trial++) {
        double x[ROUNDS * ROUND_BLOCKS];
        size_t sizes[ROUNDS];
        for (int r = 0; r < ROUNDS; r++) {
            const double mean = effect + 0.02 * draw_normal(&random);
            for (int i = 0; i < ROUND_BLOCKS; i++)
                x[r * ROUND_BLOCKS + i] = mean + 0.01 * draw_normal(&random);
            sizes[r] = ROUND_BLOCKS;
        }
        const struct rounds combined = rounds_combine(x, sizes, ROUNDS, 0.95);
        covered.combined += combined.low <= effect && effect <= combined.high;
        const struct stats_interval plain = stats_hodges_lehmann(x, ROUNDS * ROUND_BLOCKS, 0.95);
        covered.plain += plain.low <= effect && effect <= plain.high;
    }
    assert_in_range(covered.combined, 920, 980);
    assert_in_range(covered.plain, 0, 500);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(student_quantiles),
        cmocka_unit_test(no_quantile_is_nan),
        cmocka_unit_test(dyestuff),
        cmocka_unit_test(one_round),
        cmocka_unit_test(rounds_alike),
        cmocka_unit_test(rounds_apart),
        cmocka_unit_test(nothing_is_nan),
        cmocka_unit_test(independent_values_are_covered),
        cmocka_unit_test(dependent_values_are_covered),
        cmocka_unit_test(varying_rounds_are_covered),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
