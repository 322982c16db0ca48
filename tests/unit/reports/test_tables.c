/* Tables against numbers that numpy computed. */

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "reports/rows/derive.h"
#include "reports/tables/tables.h"
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

/* x = numpy.array([.25, -.1, 0, .5, .0625]), r = numpy.array([1.2, .9, 1.5, 1.05]):
 * x.mean(), numpy.median(x), x.std(ddof=1), (x > 0).sum(), numpy.exp(numpy.log(r).mean()),
 * x.clip(0).mean(). */
TEST(test_statistics) {
    struct rows rows = {0};
    struct table table;
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

    assert_int_equal(tables_make(&rows, &table), 0);
    assert_int_equal(table.count, 2);
    const struct table_line *line = table.lines;
    assert_string_equal(line->lens, "call");
    assert_string_equal(line[1].lens, "device");
    assert_int_equal(line[1].shapes, 1);
    near(line[1].mean, 9);
    assert_int_equal(line->shapes, 5);
    near(line->mean, 0.14250000000000002);
    near(line->median, 0.0625);
    near(line->sd, 0.23710493457539006);
    assert_int_equal(line->wins, 3);
    near(line->geomean, 1.142026228751796);
    assert_true(line->faster == 2 && line->slower == 1 && line->undecided == 2 &&
                line->environment == 1);
    near(line->better, 0.1625);
    assert_int_equal(line->refused, 0);
    tables_free(&table);
    rows_free(&rows);
}

/* Three shapes of four visits, each 0.02 above or below its own mean, and the row's own interval.
 */
TEST(test_intervals) {
    enum { SHAPES = 3, VISITS = 4 };
    static const double means[SHAPES] = {0.1, 0.3, -0.1}, off[VISITS] = {0.02, -0.02, 0.02, -0.02};
    static const int sign[SHAPES] = {1, -1, 1};
    struct rows rows = {0};
    struct table table;
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
    assert_int_equal(tables_make(&rows, &table), 0);
    const struct table_line *line = table.lines;
    near(line->geomean, exp(0.1));
    near(line->middle, exp(0.1));
    assert_true(fabs(line->low / exp(suite.low) - 1) < 1e-9);
    assert_true(fabs(line->high / exp(suite.high) - 1) < 1e-9);
    assert_true(fabs(line->shapes_low / exp(suite.shapes_low) - 1) < 1e-9);
    assert_true(fabs(line->shapes_high / exp(suite.shapes_high) - 1) < 1e-9);
    tables_free(&table);
    rows.visit_count = 0; /* one visit each: of these no mean has an interval over visits */
    for (size_t i = 0; i < SHAPES; i++) {
        rows.ratios[i].visits = 1;
        rows.ratios[i].variance = NAN;
    }
    assert_int_equal(tables_make(&rows, &table), 0);
    assert_true(isnan(table.lines->low) && isfinite(table.lines->shapes_low));
    tables_free(&table);
    rows_free(&rows);
}

TEST(test_no_ratios) {
    struct rows rows = {0};
    struct table table;
    assert_int_equal(tables_make(&rows, &table), 0);
    assert_int_equal(table.count, 0);
    tables_free(&table);
}

TEST(test_one_shape) {
    struct rows rows = {0};
    struct table table;
    add(&rows, 1, "a", "server", "openblas-max", -0.5, NAN, "");
    assert_int_equal(tables_make(&rows, &table), 0);
    near(table.lines->mean, -0.5);
    near(table.lines->median, -0.5);
    assert_true(isnan(table.lines->sd) && isnan(table.lines->geomean));
    assert_int_equal(table.lines->wins, 0);
    tables_free(&table);
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
    struct table table;
    for (int c = 1; c >= 0; c--)
        for (int m = 2; m >= 0; m--)
            for (int b = COUNT - 1; b >= 0; b--)
                for (int l = LENSES - 1; l >= 0; l--) {
                    add(&rows, 1, c ? "b" : "a", modes[m], baselines[b], 0.1, 1.1, "");
                    rows.ratios[rows.ratio_count - 1].lens = lenses[l];
                }
    assert_int_equal(tables_make(&rows, &table), 0);
    assert_int_equal(table.count, 2 * LENSES * 3 * COUNT);
    for (size_t i = 0; i < table.count; i++) {
        assert_string_equal(table.lines[i].candidate, i < LENSES * 3 * COUNT ? "a" : "b");
        assert_string_equal(table.lines[i].lens, lenses[i / (3 * COUNT) % LENSES]);
        assert_string_equal(table.lines[i].mode, modes[i / COUNT % 3]);
        assert_string_equal(table.lines[i].baseline, baselines[i % COUNT]);
    }
    /* One line leads of each candidate and mode: against the reference, by device. */
    size_t leading = 0;
    for (size_t i = 0; i < table.count; i++) {
        const struct table_line *line = &table.lines[i];
        const bool reference = strcmp(line->baseline, "cublaslt-autotune-max") == 0;
        assert_int_equal(line->reference, reference);
        assert_int_equal(line->leads, reference && strcmp(line->lens, "device") == 0);
        leading += line->leads;
    }
    assert_int_equal(leading, 2 * 3);
    assert_string_equal(tables_first(&table)->mode, "offline");
    assert_string_equal(tables_reference(&table, "a", "call"), "cublaslt-autotune-max");
    assert_null(tables_reference(&table, "c", "call"));
    assert_null(tables_reference(&table, "a", "nose"));
    tables_free(&table);
    rows_free(&rows);
}

TEST(test_reference) {
    struct rows rows = {0};
    struct table table;
    add(&rows, 1, "a", "offline", "openblas-max", 0.1, 1.1, "");
    add(&rows, 1, "a", "offline", "openblas-nn", 0.1, 1.1, "");
    add(&rows, 1, "b", "offline", "cublas-max", 0.1, 1.1, "");
    add(&rows, 1, "b", "offline", "cublas-nn", 0.1, 1.1, "");
    add(&rows, 1, "b", "offline", "zzz", NAN, NAN, "");
    assert_int_equal(tables_make(&rows, &table), 0);
    assert_true(table.lines[1].leads && !table.lines[0].leads); /* the first lens, without device */
    assert_string_equal(tables_reference(&table, "a", "call"), "openblas-max");
    assert_string_equal(tables_reference(&table, "b", "call"), "cublas-max");
    tables_free(&table);
    rows_free(&rows);
}
