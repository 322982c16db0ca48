/* Pairs of samples that are known. */
#include <math.h>

#include "reports/pairs/estimate.h"
#include "reports/rows/derive.h"
#include "tests/support/doubles.h"
#include "tests/support/says.h"
#include "tests/support/test.h"
#include "timing/stats.h"

enum { VISITS = 3, BLOCKS = 7, COLUMNS = 8 };

/* Microseconds of each visit. */
static const double mine_us[VISITS][BLOCKS] = {{8.0, 8.2, 7.9, 8.1, 7.8, 8.3, 8.0},
                                               {9.0, 8.8, 9.1, 8.9, 9.2, 8.7, 9.0},
                                               {7.5, 7.9, 7.4, 7.8, 7.6, 7.7, 7.5}};
static const double previous_us[VISITS][BLOCKS] = {{7.6, 8.1, 7.4, 8.0, 7.3, 8.2, 7.7},
                                                   {9.3, 8.7, 9.2, 8.6, 9.5, 8.5, 9.1},
                                                   {7.9, 7.7, 8.0, 7.6, 8.1, 7.8, 7.7}};

/* By numpy 2.4 from the float32 of the above: medians of the Walsh averages of
 * ln(t_mine / t_reference). nn is 9.5 us and 60 us in the last block of each visit, tn
 * 10 us: -max is nn. */
static const struct {
    const char *reference;
    double x[VISITS];
} expected[] = {
    {"lib-max", {-0.17204557886496677, -0.065398318782411, -0.22335996847815887}},
    {"lib-nn", {-0.17204557886496677, -0.065398318782411, -0.22335996847815887}},
    {"lib-tn", {-0.2172410105175868, -0.11094714790324939, -0.27142524380564775}},
    {"previous", {0.03878927240390283, -0.002113145083284268, -0.02607629774917103}},
};
enum { REFERENCES = sizeof expected / sizeof *expected };

/* exp of the mean over visits of the same of ln t_mine. */
static const double mine_seconds = 8.188362456862416e-06;

static float values[BLOCKS * (PAIRS_VISITS + 1) * COLUMNS];

/* `visits` repeats the three. */
static struct samples some_samples(const char *lens, size_t visits) {
    struct samples samples = {.mode = "offline",
                              .columns = {"lib-tn", "lib-nn", "previous", "mine", "aa:lib-nn",
                                          "delay:lib-nn", "@visit", "@disturbed"},
                              .column_count = COLUMNS,
                              .place = PLACE_STAGE,
                              .blocks = visits * BLOCKS,
                              .values = values,
                              .calls = 1,
                              .planted_seconds = 1e-6};
    snprintf(samples.lens, sizeof samples.lens, "%s", lens);
    for (size_t i = 0; i < samples.blocks; i++) {
        const size_t r = i / BLOCKS, b = i % BLOCKS;
        const double nn = b == BLOCKS - 1 ? 60 : 9.5;
        const double us[] = {10, nn,    previous_us[r % VISITS][b], mine_us[r % VISITS][b],
                             nn, nn + 1};
        for (size_t c = 0; c < sizeof us / sizeof *us; c++)
            values[i * COLUMNS + c] = (float)(us[c] * 1e-6);
        values[i * COLUMNS + 6] = (float)r;
        values[i * COLUMNS + 7] = b == 0;
    }
    return samples;
}

static struct rows rows;

static int forget(void **state) {
    (void)state;
    rows_free(&rows);
    return 0;
}

static void put_unit(int64_t m, const struct samples *samples, size_t count) {
    const struct check_row check = {
        .shape = {m, 32, 16}, .candidate = "mine", .kernel = "lib-nn", .outcome = "ok"};
    const struct derive_about about = {
        .shape = check.shape, .candidate = "mine", .cache = "cold", .light_seconds = NAN};
    rows_add_check(&rows, &check);
    assert_int_equal(derive_unit(samples, count, &about, &rows), 0);
}

static int take(struct pairs *pairs) {
    return pairs_take("run", &rows, pairs);
}

/* Of a unit of its own. */
static int take_unit(const struct samples *samples, struct pairs *pairs) {
    forget(NULL);
    put_unit(64, samples, 1);
    return take(pairs);
}

TEST_WITH(test_run, forget, forget) {
    struct pairs pairs;
    struct samples samples = some_samples("device", VISITS);
    put_unit(128, &samples, 1);
    put_unit(64, &samples, 1);
    put_unit(32, NULL, 0);
    assert_int_equal(take(&pairs), 0);
    assert_int_equal(pairs.count, 2 * REFERENCES); /* no controls, nothing of the untimed */
    for (size_t i = 0; i < pairs.count; i++) {
        const struct pair *pair = &pairs.list[i];
        const size_t e = i % REFERENCES;
        assert_int_equal(pair->shape.m, i < REFERENCES ? 64 : 128);
        assert_string_equal(pair->candidate, "mine");
        assert_string_equal(pair->reference, expected[e].reference);
        assert_string_equal(pair->mode, "offline");
        assert_string_equal(pair->lens, "device");
        assert_int_equal(pair->visits, VISITS);
        for (size_t r = 0; r < VISITS; r++) {
            assert_double_near(pair->x[r], expected[e].x[r], 1e-11);
            assert_int_equal(pair->visit[r], r);
        }
        assert_double_near(pair->seconds, mine_seconds, 1e-16);
        assert_double_near(pair->reference_seconds / pair->seconds,
                           exp(-stats_mean(pair->x, pair->visits)), 1e-11);
        assert_double_near(pair->disturbed, 1.0 / BLOCKS, 1e-11);
        assert_ptr_equal(pairs_find(&pairs, &pairs.list[0], "previous"), &pairs.list[3]);
    }
    struct pair other = pairs.list[0];
    assert_null(pairs_find(&pairs, &other, "lib-xx"));
    other.lens = "call";
    assert_null(pairs_find(&pairs, &other, "previous"));
    pairs_free(&pairs);
    assert_null(pairs_find(&pairs, &other, "previous"));
}

/* The one interval: that of the row of ratios.csv, of each pair and of a mean over it alone. */
TEST_WITH(test_estimates, forget, forget) {
    struct pairs pairs;
    struct samples samples = some_samples("device", VISITS);
    put_unit(64, &samples, 1);
    assert_int_equal(take(&pairs), 0);
    assert_int_equal(rows.ratio_count, pairs.count);
    for (size_t i = 0; i < rows.ratio_count; i++) {
        const struct ratio_row *row = &rows.ratios[i];
        const struct pair *pair = pairs_find(&pairs, &pairs.list[0], row->baseline);
        assert_non_null(pair);
        const struct estimate is = estimate_pair(pair);
        const struct suite_mean mean = estimate_mean(&pair, NULL, 1);
        assert_double_near(is.ratio, row->ratio, 1e-11);
        assert_double_near(is.low, row->ci_low, 1e-10);
        assert_double_near(is.high / row->ci_high, 1, 1e-10);
        assert_double_near(exp(mean.estimate), row->ratio, 1e-11);
        assert_double_near(exp(mean.low), row->ci_low, 1e-10);
        assert_double_near(exp(mean.high) / row->ci_high, 1, 1e-10);
        /* The same run as two: nothing has changed, and twice the variance is in doubt. */
        const struct estimate none = estimate_over(pair, pair);
        assert_double_near(none.ratio, 1, 1e-14);
        assert_true(none.high > 1 && none.high < pow(row->ci_high / row->ratio, sqrt(2)));
    }
    pairs_free(&pairs);
}

/* Five blocks have no 95 % interval; no block is no pair; an arm that is not there is none. */
TEST_WITH(test_little, forget, forget) {
    struct pairs pairs;
    struct samples samples[] = {some_samples("device", 1), some_samples("call", 1),
                                some_samples("stream", 1)};
    samples[0].blocks = 5;
    samples[1].blocks = 0;
    strcpy(samples[2].columns[3], "theirs");
    put_unit(64, samples, 3);
    assert_int_equal(take(&pairs), 0);
    assert_int_equal(pairs.count, REFERENCES);
    assert_string_equal(pairs.list[0].lens, "device");
    assert_true(isnan(pairs.list[0].used.variance));
    assert_true(isnan(estimate_pair(&pairs.list[0]).low));
    assert_int_equal(pairs.list[0].visits, 1);
    pairs_free(&pairs);
}

TEST_WITH(test_refused_runs, forget, forget) {
    struct pairs pairs;
    struct samples samples = some_samples("device", VISITS);
    put_unit(64, &samples, 1);
    rows.visits[0].visit = PAIRS_VISITS;
    assert_says(take(&pairs), -1, "101 visits");
    /* One whose calls hold the host's time in a visit has a visit less. */
    samples = some_samples("device", VISITS);
    for (size_t i = BLOCKS; i < 2 * (size_t)BLOCKS; i++)
        values[i * COLUMNS + 1] *= -1;
    assert_int_equal(take_unit(&samples, &pairs), 0);
    assert_string_equal(pairs.list[1].reference, "lib-nn");
    assert_int_equal(pairs.list[1].visits, VISITS - 1);
    assert_int_equal(pairs.list[1].visit[1], 2);
    pairs_free(&pairs);
    forget(NULL);
    samples = some_samples("device", VISITS);
    put_unit(64, &samples, 1);
    put_unit(64, &samples, 1);
    assert_says(take(&pairs), -1, "run: two units time mine on 64x32x16");
}

/* A large shape has times in every other visit. */
TEST_WITH(visits_keep_their_numbers, forget, forget) {
    struct pairs pairs;
    struct samples samples = some_samples("device", VISITS);
    for (size_t i = 0; i < samples.blocks; i++)
        values[i * COLUMNS + 6] *= 2;
    assert_int_equal(take_unit(&samples, &pairs), 0);
    assert_int_equal(pairs.count, REFERENCES);
    for (size_t i = 0; i < pairs.count; i++) {
        assert_int_equal(pairs.list[i].visits, VISITS);
        assert_double_near(pairs.list[i].timed_visits, VISITS, 0);
        assert_int_equal(pairs.list[i].visit[VISITS - 1], 2 * (VISITS - 1));
        assert_double_near(pairs.list[i].x[VISITS - 1], expected[i].x[VISITS - 1], 1e-11);
    }
    pairs_free(&pairs);
}

/* Against values worked out by hand: x of mean -0.1 and standard deviation 0.01 over 4 visits, and
 * t(0.975, 3) = 3.182446. */
TEST(test_ratio) {
    struct pair speed = {
        .visits = 4,
        .used = {1e-4, 3},
        .x = {-0.09, -0.11, -0.1 + 0.01 * 0.7071067811865475, -0.1 - 0.01 * 0.7071067811865475}};
    const struct estimate ratio = estimate_pair(&speed);
    assert_double_near(ratio.ratio, exp(0.1), 1e-9);
    assert_double_near(ratio.low, exp(0.1 - 3.182446 * 0.005), 1e-7);
    assert_double_near(ratio.high, exp(0.1 + 3.182446 * 0.005), 1e-7);
}

/* A kernel on m rows, with its earlier release. */
static void put_pair(int64_t m, const char *baseline) {
    const struct shape shape = {m, 32, 16};
    rows_add_ratio(&rows, &(struct ratio_row){.shape = shape,
                                              .candidate = "mine",
                                              .baseline = baseline,
                                              .place = m == 5 ? "unbounded" : "stage"});
    rows_add_visit(
        &rows, &(struct visit_row){
                   .shape = shape, .candidate = "mine", .baseline = baseline, .ratio = 1});
}

static void put_check(int64_t m, const char *kernel, const char *outcome) {
    struct check_row row = {.shape = {m, 32, 16}, .candidate = "mine"};
    snprintf(row.kernel, sizeof row.kernel, "%s", kernel);
    snprintf(row.outcome, sizeof row.outcome, "%s", outcome);
    rows_add_check(&rows, &row);
}

/* Whatever the order of the checks; there is none of the kernel on 4 rows. */
TEST_WITH(test_fates, forget, forget) {
    static const char *const outcomes[] = {"", "ok", "unrecorded", "inexact", "ok", "ok", "ok"};
    struct pairs pairs;
    for (int64_t m = 1; m < 7; m++) {
        put_pair(m, "lib-nn");
        put_pair(m, RUNDIR_PREVIOUS);
    }
    for (int64_t m = 6; m > 0; m--) {
        put_check(m, RUNDIR_PREVIOUS, m == 6 ? "unrecorded" : "ok");
        if (m != 4)
            put_check(m, "mine", outcomes[m]);
    }
    assert_int_equal(take(&pairs), 0);
    assert_int_equal(pairs.count, 12);
    for (size_t i = 0; i < pairs.count; i++) {
        const struct pair *pair = &pairs.list[i];
        const int64_t m = pair->shape.m;
        const bool earlier = strcmp(pair->reference, RUNDIR_PREVIOUS) == 0;
        assert_int_equal(pair->passed, m != 3 && m != 4);
        assert_int_equal(pair->unrecorded, m == 2 || m == 5 || (m == 6 && earlier));
    }
    pairs_keep_passed(&pairs);
    assert_int_equal(pairs.count, 8);
    pairs_free(&pairs);
}
