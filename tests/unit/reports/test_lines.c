/* Summary lines against numbers that numpy computed. */

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "reports/rows/derive.h"
#include "reports/tables/lines.h"
#include "tests/support/one_visit.h"
#include "tests/support/test.h"
#include "timing/suite_mean.h"

static void add(struct rows *rows, int64_t m, const char *candidate, const char *mode,
                const char *baseline, double speedup, double ratio, const char *verdict) {
    struct ratio_row row = {.shape = {m, 64, 64}, .speedup = speedup, .ratio = ratio};
    row.candidate = candidate;
    row.mode = mode;
    row.lens = "call";
    row.baseline = baseline;
    row.verdict = verdict;
    rows_add_ratio(rows, &row);
}

static void near(double got, double want) {
    if (!(fabs(got - want) <= 1e-12 * fmax(1, fabs(want))))
        fail_msg("got %.17g, want %.17g", got, want);
}

/* The database of the rows and their lines, which is read line by line. */
static sqlite3 *db;
static sqlite3_stmt *line;

static void make_lines(struct rows *rows) {
    one_visit(rows);
    db = query_open();
    query_load(db, "run", rows);
    assert_int_equal(lines_make(db, "run", rows), 0);
    line = query_ask(db, "SELECT * FROM lines WHERE run = 'run' ORDER BY rowid", NULL);
}

/* What the next line says; at the end the database is closed. */
static bool next_line(void) {
    const bool more = query_next(line);
    if (!more)
        sqlite3_close(db);
    return more;
}

static double number(const char *column) {
    return query_number(line, column);
}

static void is_text(const char *column, const char *want) {
    assert_string_equal(query_text(line, column), want);
}

/* x = numpy.array([.25, -.1, 0, .5, .0625]), r = numpy.array([1.2, .9, 1.5, 1.05]):
 * x.mean(), numpy.median(x), x.std(ddof=1), (x > 0).sum(), numpy.exp(numpy.log(r).mean()),
 * x.clip(0).mean(). */
TEST(test_statistics) {
    struct rows rows = {0};
    add(&rows, 1, "a", "offline", "cublas-nn", 0.25, 1.2, "faster");
    add(&rows, 2, "a", "offline", "cublas-nn", -0.1, 0.9, "slower");
    add(&rows, 3, "a", "offline", "cublas-nn", 0, NAN, "undecided");
    add(&rows, 4, "a", "offline", "cublas-nn", 0.5, 1.5, "faster");
    add(&rows, 5, "a", "offline", "cublas-nn", 0.0625, 1.05, "undecided");
    add(&rows, 6, "a", "offline", "cublas-nn", NAN, NAN, "");
    /* All of its samples are marked: it has no number, so it is of no count. */
    add(&rows, 8, "a", "offline", "cublas-nn", NAN, NAN, "undecided");
    add(&rows, 7, "a", "offline", "cublas-nn", NAN, NAN, "environment");
    add(&rows, 1, "a", "offline", "cublas-nn", 9, 10, "faster");
    rows.ratios[rows.ratio_count - 1].lens = "device";

    make_lines(&rows);
    assert_true(next_line());
    is_text("lens", "call");
    near(number("shapes"), 5);
    near(number("mean"), 0.14250000000000002);
    near(number("median"), 0.0625);
    near(number("sd"), 0.23710493457539006);
    near(number("wins"), 3);
    near(number("geomean"), 1.142026228751796);
    near(number("faster"), 2);
    near(number("slower"), 1);
    near(number("undecided"), 2);
    near(number("environment"), 1);
    near(number("judged"), 6);
    near(number("better"), 0.1625);
    near(number("refused"), 0);
    assert_true(next_line());
    is_text("lens", "device");
    near(number("shapes"), 1);
    near(number("mean"), 9);
    assert_false(next_line());
    rows_free(&rows);
}

/* Three shapes of four visits, each 0.02 above or below its own mean, and the row's own interval.
 */
TEST(test_intervals) {
    enum { SHAPES = 3, VISITS = 4 };
    static const double means[SHAPES] = {0.1, 0.3, -0.1}, off[VISITS] = {0.02, -0.02, 0.02, -0.02};
    static const int sign[SHAPES] = {1, -1, 1};
    struct rows rows = {0};
    double x[SHAPES * VISITS];
    struct spread variance[SHAPES];
    for (size_t i = SHAPES; i-- > 0;) { /* as they come */
        add(&rows, (int64_t)i + 1, "a", "offline", "cublas-nn", 0.1, exp(means[i]), "faster");
        struct ratio_row *row = &rows.ratios[rows.ratio_count - 1];
        variance[i] = (struct spread){0.0004 * (double)(i + 1), 12};
        row->visits = VISITS;
        row->freedom = 12;
        row->variance = variance[i].variance;
        for (size_t r = VISITS; r-- > 0;) {
            x[i * VISITS + r] = means[i] + sign[i] * off[r];
            struct visit_row visit = {
                .shape = row->shape, .visit = (double)r, .ratio = exp(x[i * VISITS + r])};
            visit.candidate = row->candidate;
            visit.baseline = row->baseline;
            visit.mode = row->mode;
            visit.lens = row->lens;
            rows_add_visit(&rows, &visit);
        }
    }
    struct visit_row other = rows.visits[0]; /* of no row */
    other.baseline = "cublas-tn";
    rows_add_visit(&rows, &other);
    const struct suite_mean suite = suite_mean_of(x, variance, SHAPES, VISITS, 0.95);
    assert_true(isfinite(suite.low) && suite.visits == VISITS && suite.shapes == SHAPES);
    make_lines(&rows);
    assert_true(next_line());
    near(number("geomean"), exp(0.1));
    near(number("middle"), exp(0.1));
    near(number("low"), exp(suite.low));
    near(number("high"), exp(suite.high));
    near(number("shapes_low"), exp(suite.shapes_low));
    near(number("shapes_high"), exp(suite.shapes_high));
    assert_false(next_line());
    rows.visit_count = 0; /* one visit each: of these no mean has an interval over visits */
    for (size_t i = 0; i < SHAPES; i++) {
        rows.ratios[i].visits = 1;
        rows.ratios[i].variance = NAN;
    }
    make_lines(&rows);
    assert_true(next_line() && isnan(number("low")) && isfinite(number("shapes_low")));
    assert_false(next_line());
    rows_free(&rows);
}

TEST(test_no_ratios) {
    make_lines(&(struct rows){0});
    assert_false(next_line());
}

TEST(test_one_shape) {
    struct rows rows = {0};
    add(&rows, 1, "a", "server", "openblas-max", -0.5, NAN, "");
    make_lines(&rows);
    assert_true(next_line());
    near(number("mean"), -0.5);
    near(number("median"), -0.5);
    assert_true(isnan(number("sd")) && isnan(number("geomean")));
    near(number("wins"), 0);
    near(number("judged"), 0);
    assert_false(next_line());
    rows_free(&rows);
}

/* A refused kernel counts as 1 in one mean, and a line says of how many shapes kernels are unrecorded:
 * themselves, or what they are held against. */
TEST(refused_and_unrecorded_kernels_are_counted) {
    static const struct {
        int64_t m;
        const char *kernel, *outcome;
    } checks[] = {{1, "a", "ok"},
                  {2, "a", "unrecorded"},
                  {3, "a", "inexact"},
                  {1, "previous", "unrecorded"},
                  {2, "previous", "unrecorded"}};
    struct rows rows = {0};
    for (size_t i = 0; i < sizeof checks / sizeof *checks; i++) {
        struct check_row row = {.shape = {checks[i].m, 64, 64}, .candidate = "a"};
        strcpy(row.kernel, checks[i].kernel);
        strcpy(row.outcome, checks[i].outcome);
        rows_add_check(&rows, &row);
    }
    for (int64_t m = 1; m <= 2; m++) {
        add(&rows, m, "a", "offline", "previous", 1, 2, "");
        add(&rows, m, "a", "offline", "cublas-nn", 1, 2, "");
    }
    make_lines(&rows);
    assert_true(next_line());
    is_text("baseline", "previous");
    near(number("unrecorded"), 2);
    near(number("refused"), 1);
    near(number("with_refused"), exp(log(2) * 2 / 3));
    near(number("reference"), 0); /* an earlier release is no library */
    assert_true(next_line());
    near(number("unrecorded"), 1);
    near(number("reference"), 1);
    assert_false(next_line());
    rows_free(&rows);
}

TEST(test_order) {
    static const char *const baselines[] = {"torch-matmul",
                                            "cublas-nn",
                                            "cublas-tn",
                                            "cublas-max",
                                            "cublaslt-heuristic-nn",
                                            "cublaslt-heuristic-tn",
                                            "cublaslt-heuristic-max",
                                            "cublaslt-autotune-nn",
                                            "cublaslt-autotune-tn",
                                            "cublaslt-autotune-max",
                                            "openblas-nn",
                                            "openblas-tn",
                                            "openblas-max",
                                            "aaa",
                                            "zzz"};
    enum { COUNT = sizeof baselines / sizeof *baselines };
    static const char *const modes[] = {"offline", "server", "burst"};
    static const char *const lenses[] = {"call", "device", "stream", "wait", "ear"};
    enum { LENSES = sizeof lenses / sizeof *lenses };
    struct rows rows = {0};
    for (int c = 1; c >= 0; c--)
        for (int m = 2; m >= 0; m--)
            for (int b = COUNT - 1; b >= 0; b--)
                for (int l = LENSES - 1; l >= 0; l--) {
                    add(&rows, 1, c ? "b" : "a", modes[m], baselines[b], 0.1, 1.1, "");
                    rows.ratios[rows.ratio_count - 1].lens = lenses[l];
                }
    make_lines(&rows);
    /* One line leads of each candidate and mode: against the reference, by device. */
    for (size_t i = 0; i < 2 * LENSES * 3 * COUNT; i++) {
        assert_true(next_line());
        is_text("candidate", i < LENSES * 3 * COUNT ? "a" : "b");
        is_text("lens", lenses[i / (3 * COUNT) % LENSES]);
        is_text("mode", modes[i / COUNT % 3]);
        is_text("baseline", baselines[i % COUNT]);
        const bool reference = strcmp(baselines[i % COUNT], "cublaslt-autotune-max") == 0;
        near(number("reference"), reference);
        near(number("leads"), reference && strcmp(query_text(line, "lens"), "device") == 0);
    }
    assert_false(next_line());
    rows_free(&rows);
}

/* Without the autotuned one the last library in the order that has a number, and a lens that comes first. */
TEST(test_reference) {
    static const char *const references[] = {"openblas-max", "cublas-max"};
    struct rows rows = {0};
    add(&rows, 1, "a", "offline", "openblas-max", 0.1, 1.1, "");
    add(&rows, 1, "a", "offline", "openblas-nn", 0.1, 1.1, "");
    add(&rows, 1, "b", "offline", "cublas-max", 0.1, 1.1, "");
    add(&rows, 1, "b", "offline", "cublas-nn", 0.1, 1.1, "");
    add(&rows, 1, "b", "offline", "zzz", NAN, NAN, "");
    add(&rows, 1, "c", "offline", "previous", 0.1, 1.1, ""); /* an earlier release is no library */
    make_lines(&rows);
    size_t leads = 0;
    while (next_line()) {
        near(number("wins"), number("shapes"));
        if (number("leads") > 0)
            is_text("baseline", references[leads++]);
    }
    assert_int_equal(leads, 2);
    rows_free(&rows);
}
