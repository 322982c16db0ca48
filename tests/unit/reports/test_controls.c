/* The verdict of controls and what lenses disagree on. */

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "reports/rows/derive.h"
#include "reports/tables/controls.h"
#include "tests/support/test.h"
#include "timing/tails.h"

static struct rows rows;

static int fresh(void **state) {
    (void)state;
    rows_free(&rows);
    rows = (struct rows){0};
    return 0;
}

static struct control_row *add(const char *control, const char *mode, const char *lens) {
    struct control_row row = {.shape = {(int64_t)rows.control_count + 1, 64, 64},
                              .ratio = 1,
                              .ci_low = NAN,
                              .ci_high = NAN,
                              .speedup = NAN,
                              .planted = NAN,
                              .found = NAN,
                              .launch = NAN,
                              .error = NAN,
                              .freedom = NAN};
    row.control = control;
    row.mode = mode;
    row.lens = lens;
    rows_add_control(&rows, &row);
    return &rows.controls[rows.control_count - 1];
}

/* With the interval of Student's t with 30 degrees of freedom, `wider` times as wide. */
static void put(struct control_row *row, double ratio, double error, double wider) {
    const bool delay = strcmp(row->control, "delay") == 0;
    const double half = wider * error * tails_student_quantile(0.975, 30);
    const double margin = derive_control_margin(row);
    row->ratio = ratio;
    row->error = error;
    row->freedom = 30;
    row->ci_low = delay ? ratio - half : ratio * exp(-half);
    row->ci_high = delay ? ratio + half : ratio * exp(half);
    const bool below = row->ci_high < 1 - margin && strcmp(row->control, "autotune") != 0;
    row->verdict = row->ci_low > 1 + margin || below ? "off" : "ok";
}

static void add_aa(size_t count, const char *mode, const char *lens, double ratio, double error) {
    while (count-- > 0)
        put(add("aa", mode, lens), ratio, error, 1);
}

static void add_delays(size_t count, const char *lens, const char *verdict) {
    while (count-- > 0) {
        struct control_row *row = add("delay", "offline", lens);
        row->planted = 2e-6;
        row->found = 3e-6;
        row->launch = 1e-6;
        row->samples = 20;
        if (strcmp(verdict, "missed") == 0)
            row->ci_low = row->ci_high = 0.2;
        row->verdict = verdict;
    }
}

static void near(double got, double want) {
    if (!(fabs(got - want) <= 1e-12 * fmax(1, fabs(want))))
        fail_msg("got %.17g, want %.17g", got, want);
}

/* A number that a table has of the controls. */
static double told(const char *what, const char *table) {
    char sql[160], why[512];
    sqlite3 *db = query_open();
    query_load(db, "run", &rows);
    query_load(db, "other", &rows);
    controls_ask(db, "run", NULL, why, sizeof why);
    snprintf(sql, sizeof sql, "SELECT %s AS x FROM %s", what, table);
    sqlite3_stmt *answer = query_ask(db, sql, NULL);
    assert_true(query_next(answer));
    const double x = query_number(answer, "x");
    sqlite3_finalize(answer);
    sqlite3_close(db);
    return x;
}

static double told_of_aa(const char *what) {
    return told(what, "control_tallies WHERE kind = 0");
}

/* Lenses that the plan timed until they were precise. */
static const char *precise[2];

static void expect(enum controls_verdict verdict, const char *part) {
    char why[512];
    json_t *plan = json_pack("{s:[s*,s*]}", "precise_lenses", precise[0], precise[1]);
    assert_int_equal(controls_judge(&rows, plan, why, sizeof why), verdict);
    json_decref(plan);
    if (part ? !strstr(why, part) : *why != 0)
        fail_msg("\"%s\" in \"%s\"", part ? part : "", why);
}

/* Where nothing has widened the intervals, 2.5 % of those whose truth is at the end of the margin
 * miss it, and hardly any on the other side. Of 20 that are P(X >= 4) = 0.0014 and P(X >= 5) =
 * 0.00011: R 4.2.2, pbinom(3, 20, 0.025, lower.tail = FALSE). */
TEST_WITH(test_misses, fresh, fresh) {
    expect(CONTROLS_NONE, NULL);
    add_aa(16, "offline", "call", 1, 0.001);
    add_aa(2, "offline", "call", 1.02, 0.001);
    add_aa(2, "offline", "call", 0.98, 0.001);
    assert_true(told("count(*)", "control_series") == 1);
    assert_true(told_of_aa("intervals") == 20 && told_of_aa("missing") == 4);
    assert_true(fabs(told_of_aa("expected") - 0.5) < 0.01);
    assert_true(told_of_aa("chance") > 0.0013 && told_of_aa("chance") < 0.0016);
    expect(CONTROLS_PASSED, NULL);
    put(&rows.controls[0], 1.02, 0.001, 1);
    expect(CONTROLS_FAILED, "offline, call: 5 of 20 intervals of a baseline against itself miss 1, "
                            "where 0.5 are to be expected (p = 0.0001)");
    put(&rows.controls[0], 1.0025 * exp(0.00204), 0.001, 1); /* 1 to a quarter of a per cent */
    expect(CONTROLS_PASSED, NULL);
}

/* Of intervals that are twice as wide as their errors ask for, fewer are expected to miss: 4 of 20
 * are too many. */
TEST_WITH(test_wide_intervals, fresh, fresh) {
    for (size_t i = 0; i < 20; i++)
        put(add("aa", "offline", "call"), i >= 4 ? 1 : i % 2 ? 1.02 : 0.98, 0.001, 2);
    assert_true(told("count(*)", "control_series") == 1);
    assert_true(told_of_aa("expected") < 0.01);
    expect(CONTROLS_FAILED, "4 of 20 intervals");
}

/* The same of a baseline over another, and of delays. */
TEST_WITH(test_every_kind, fresh, fresh) {
    for (size_t i = 0; i < 20; i++) {
        put(add("aa", "offline", "call"), 1, 0.001, 1);
        put(add("across", "offline", "call"), i % 4 ? 1 : i % 8 ? 1.03 : 0.97, 0.001, 1);
    }
    expect(CONTROLS_FAILED, "offline, call: 5 of 20 intervals of a baseline over another in the "
                            "first visits against the same in the last miss 1");
    fresh(NULL);
    add_delays(20, "call", "ok");
    for (size_t i = 0; i < 20; i++)
        put(&rows.controls[i], 1.01, 0.005, 1); /* 1 to two per cent */
    expect(CONTROLS_PASSED, NULL);
    for (size_t i = 0; i < 5; i++)
        put(&rows.controls[i], i % 2 ? 1.1 : 0.9, 0.005, 1);
    expect(CONTROLS_FAILED, "5 of 20 intervals of seconds found against seconds planted");
    for (size_t i = 0; i < 20; i++)
        put(&rows.controls[i], 1.05, 0.1, 1); /* each reaches 1 */
    expect(CONTROLS_FAILED,
           "over 20 ratios of seconds found against seconds planted the mean is 1.0500");
}

/* An autotuned library may be faster than its first suggestion by any amount, and not slower. */
TEST_WITH(test_autotuned, fresh, fresh) {
    for (size_t i = 0; i < 20; i++) {
        put(add("aa", "offline", "call"), 1, 0.001, 1);
        put(add("autotune", "offline", "call"), i % 2 ? 0.8 : 1, 0.001, 1);
    }
    expect(CONTROLS_PASSED, NULL);
    for (size_t i = 1; i < 40; i += 4)
        put(&rows.controls[i], 1.03, 0.001, 1);
    expect(CONTROLS_FAILED,
           "offline, call: 10 of 20 intervals of an autotuned library over its own "
           "first suggestion lie above 1, where 0.5 are to be expected");
    for (size_t i = 1; i < 40; i += 2)
        put(&rows.controls[i], 1.03, 0.1, 1); /* each reaches 1 */
    expect(CONTROLS_FAILED, "over 20 ratios of an autotuned library over its own first suggestion "
                            "the mean is 1.0300");
}

/* A mean of quotients of times that scatter is above 1, and no verdict rests on it. */
TEST_WITH(test_as_the_paper_counts, fresh, fresh) {
    add_aa(20, "offline", "call", 1, 0.001);
    for (size_t i = 0; i < 20; i++)
        rows.controls[i].speedup = i % 2 ? 0.029 : 0.031;
    assert_true(told("count(*)", "control_series") == 1);
    near(told("paper", "control_series"), 0.03);
    assert_true(told("paper_low", "control_series") > 0.01);
    expect(CONTROLS_PASSED, NULL);
    for (size_t i = 0; i < 20; i++)
        rows.controls[i].speedup = i % 2 ? 0.04 : -0.04;
    assert_true(told("count(*)", "control_series") == 1);
    assert_true(told("paper_low", "control_series") < 0.01 &&
                told("paper_high", "control_series") > -0.01);
}

/* Every interval reaches 1, and yet one of two equal kernels is favoured. The bounds: scipy 1.17.1,
 * stats.t.interval(0.999, n - 1, mean, stats.sem) of the logarithms, exponentiated. */
TEST_WITH(test_mean, fresh, fresh) {
    add_aa(8, "server", "call", 1.00, 0.1);
    expect(CONTROLS_PASSED, NULL);
    add_aa(10, "server", "call", 1.02, 0.1);
    add_aa(12, "server", "call", 1.03, 0.1);
    assert_true(told("count(*)", "control_series") == 1);
    near(told_of_aa("mean"), 1.0185951730632825);
    near(told_of_aa("mean_low"), 1.010416538548021);
    near(told_of_aa("mean_high"), 1.026840008061199);
    expect(CONTROLS_FAILED,
           "server, call: over 30 ratios of a baseline against itself the mean is 1.01");
    fresh(NULL);
    add_aa(1, "server", "call", 1.04, 0.1);
    add_aa(1, "server", "call", 1.06, 0.1);
    expect(CONTROLS_PASSED, NULL);
    fresh(NULL);
    add_aa(10, "server", "call", 0.97, 0.1);
    add_aa(12, "server", "call", 0.98, 0.1);
    expect(CONTROLS_FAILED,
           "server, call: over 22 ratios of a baseline against itself the mean is 0.97");
}

/* Misses of one series are not thinned out by another. */
TEST_WITH(test_series_are_apart, fresh, fresh) {
    add_aa(100, "server", "call", 1, 0.01);
    add_aa(100, "offline", "call", 1, 0.01);
    add_aa(6, "offline", "device", 0.9, 0.01);
    expect(CONTROLS_FAILED, "offline, device: 6 of 6 intervals");
    assert_true(told("count(*)", "control_series") == 3);
    assert_true(told("missing", "control_tallies WHERE lens = 'device'") == 6);
    assert_true(told("sum(missing)", "control_tallies WHERE lens = 'call'") == 0);
}

TEST_WITH(test_delays, fresh, fresh) {
    add_delays(19, "call", "ok");
    add_delays(1, "call", "missed");
    expect(CONTROLS_PASSED, NULL);
    add_delays(1, "call", "missed");
    expect(CONTROLS_FAILED, "offline, call: 2 of 21 planted delays");
    fresh(NULL);
    add_delays(1, "stream", "missed");
    expect(CONTROLS_FAILED, "1 of 1");
    add_aa(30, "server", "call", 1.5, 0.01);
    expect(CONTROLS_FAILED, "30 of 30 intervals of a baseline against itself miss 1, where");
    expect(CONTROLS_FAILED, "; offline, stream: 1 of 1 planted delays were not seen");
}

/* Its interval says that the delay may well be there. */
TEST_WITH(a_delay_in_much_noise_accuses_no_lens, fresh, fresh) {
    add_delays(1, "call", "missed");
    add_delays(1, "call", "ok");
    rows.controls[0].ci_low = -0.4;
    rows.controls[0].ci_high = 1.6;
    expect(CONTROLS_PASSED, NULL);
    assert_true(told("count(*)", "control_series") == 1);
    assert_true(told("vague", "control_series") == 1);
    assert_true(told("delays", "control_series") == 1);
    rows.controls[0].ci_low = rows.controls[0].ci_high = NAN; /* as of one visit */
    expect(CONTROLS_PASSED, NULL);
    rows.controls[0].ci_high = 0.9;
    expect(CONTROLS_FAILED, "1 of 2 planted delays were not seen");
}

/* A lens that sees nothing in much noise has not been seen to see anything. */
TEST_WITH(delays_that_are_all_in_much_noise_accuse_the_lens, fresh, fresh) {
    add_aa(4, "offline", "call", 1, 0.5);
    add_delays(4, "call", "missed");
    for (size_t i = 4; i < rows.control_count; i++) {
        rows.controls[i].ratio = i % 2 ? 0.3 : -0.3;
        rows.controls[i].ci_low = rows.controls[i].ratio - 1.4;
        rows.controls[i].ci_high = rows.controls[i].ratio + 1.4;
    }
    expect(CONTROLS_FAILED, "offline, call: none of 4 planted delays was seen");
}

/* Of a lens that was not timed until it was precise nothing follows. */
TEST_WITH(test_precise_lenses, fresh, fresh) {
    add_delays(2, "call", "missed");
    add_aa(30, "server", "stream", 1.5, 0.01);
    add_delays(2, "device", "ok");
    precise[0] = "device";
    expect(CONTROLS_PASSED, NULL);
    precise[1] = "call";
    expect(CONTROLS_FAILED, "offline, call: 2 of 2 planted delays were not seen");
    precise[0] = "wait";
    precise[1] = NULL;
    expect(CONTROLS_NONE, NULL);
    precise[0] = precise[1] = NULL;
    expect(CONTROLS_FAILED, "server, stream: 30 of 30");
}

TEST_WITH(test_numbers, fresh, fresh) {
    put(add("aa", "offline", "call"), 1.004, 0.01, 1);
    put(add("aa", "offline", "call"), 0.996, 0.02, 1);
    put(add("aa", "offline", "call"), 1.006, 0.06, 1);
    add("aa", "offline", "call")->ratio = NAN; /* too few blocks: counts for nothing */
    add_delays(2, "call", "ok");
    rows.controls[rows.control_count - 1].found = 5e-6;
    assert_true(told("count(*)", "control_series") == 1);
    assert_true(told_of_aa("intervals") == 3 && told_of_aa("ratios") == 3 &&
                told_of_aa("missing") == 0);
    near(told_of_aa("half_width"), (rows.controls[1].ci_high - rows.controls[1].ci_low) / 2);
    near(told_of_aa("widest"), (rows.controls[2].ci_high - rows.controls[2].ci_low) / 2);
    assert_true(told("delays", "control_series") == 2 && told("seen", "control_series") == 2);
    near(told("planted", "control_series") * 1e6, 2);
    near(told("found", "control_series") * 1e6, 4);
    near(told("launch", "control_series") * 1e6, 1);
}

/* Without an interval there is nothing that could have failed. */
TEST_WITH(test_too_few_blocks, fresh, fresh) {
    for (int i = 0; i < 3; i++)
        add("aa", "offline", "call")->verdict = "unknown";
    expect(CONTROLS_NONE, NULL);
    put(add("across", "offline", "call"), 1, 0.001, 1); /* says nothing of one process */
    expect(CONTROLS_NONE, NULL);
}

/* A reason that does not fit is cut, not written past. */
TEST_WITH(test_short_reason, fresh, fresh) {
    char why[9] = "????????";
    add_delays(3, "call", "missed");
    add_delays(3, "stream", "missed");
    assert_int_equal(controls_judge(&rows, NULL, why, 8), CONTROLS_FAILED);
    assert_string_equal(why, "offline");
    assert_int_equal(why[8], 0);
}
