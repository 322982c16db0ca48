/* Runs that agree as far as was planted. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "reports/page/writers.h"
#include "reports/rows/derive.h"
#include "reports/tables/agree.h"
#include "tests/support/doubles.h"
#include "tests/support/test.h"

enum { SMALL = 40, LARGE = 10, ROWS = SMALL + LARGE };

/* The i-th row at `at` times the half-width from 1. */
static struct ratio_row *add_to(struct rows *rows, size_t i, double at, double half,
                                const char *baseline, const char *lens) {
    const int64_t m = i < SMALL ? 64 : 4096;
    const double ratio = exp(at * half);
    struct ratio_row row = {.shape = {m + (int64_t)i, m, m},
                            .candidate = "mine",
                            .mode = "offline",
                            .ratio = ratio,
                            .ci_low = ratio * exp(-half),
                            .ci_high = ratio * exp(half),
                            .visits = 4,
                            .visit_sd = half,
                            .freedom = 40};
    row.baseline = baseline;
    row.lens = lens;
    row.variance = derive_variance(&row);
    row.verdict = rows_verdict(&row);
    rows_add_ratio(rows, &row);
    for (int v = 0; v < 4; v++) {
        struct visit_row visit = {
            .shape = row.shape, .candidate = "mine", .mode = "offline", .visit = v, .ratio = ratio};
        visit.baseline = baseline;
        visit.lens = lens;
        rows_add_visit(rows, &visit);
    }
    return &rows->ratios[rows->ratio_count - 1];
}

static struct ratio_row *add(struct rows *rows, size_t i, double at, double half) {
    return add_to(rows, i, at, half, "lib-nn", "device");
}

static char said[8192]; /* by the page of lines_of, as Markdown */

/* The lines of the table. The caller lets go. */
static json_t *lines_of(const struct rows *first, const struct rows *second) {
    struct rundir runs[] = {{.folder = "A", .read = true}, {.folder = "B", .read = true}};
    rows_append(&runs[0].rows, first);
    rows_append(&runs[1].rows, second);
    struct agree agree;
    agree_match(runs, 2, 2, &agree);
    struct document *page = agree_page(&agree);
    agree_free(&agree);
    json_t *lines = write_json_table(page, "agreement");
    assert_non_null(lines);
    FILE *out = fmemopen(said, sizeof said, "w");
    assert_int_equal(write_markdown(out, page), 0);
    fclose(out);
    document_free(page);
    rows_free(&runs[0].rows);
    rows_free(&runs[1].rows);
    return lines;
}

static double number_of(const json_t *lines, size_t line, const char *key) {
    const json_t *value = json_object_get(json_array_get(lines, line), key);
    assert_true(json_is_number(value));
    return json_number_value(value);
}

static const char *sizes_of(const json_t *lines, size_t line) {
    return json_string_value(json_object_get(json_array_get(lines, line), "sizes"));
}

TEST(test_identical) {
    struct rows rows = {0};
    for (size_t i = 0; i < ROWS; i++)
        add(&rows, i, 2, 0.01);
    json_t *lines = lines_of(&rows, &rows);
    assert_int_equal(json_array_size(lines), 3); /* all, and two classes */
    assert_string_equal(sizes_of(lines, 0), "all");
    assert_string_equal(sizes_of(lines, 1), "16 to 20");
    assert_string_equal(sizes_of(lines, 2), "36 to 40");
    assert_double_near(number_of(lines, 0, "pairs"), ROWS, 0);
    assert_double_near(number_of(lines, 2, "pairs"), LARGE, 0);
    assert_double_near(number_of(lines, 0, "agree"), 1, 0);
    assert_double_near(number_of(lines, 0, "median_difference"), 0, 0);
    assert_double_near(number_of(lines, 0, "median_half_width"), expm1(0.01), 1e-12);
    assert_double_near(number_of(lines, 0, "median_combined_half_width"), expm1(0.01 * sqrt(2)),
                       1e-12);
    assert_double_near(number_of(lines, 0, "expected"), 0.953, 0.002); /* 40 degrees of freedom */
    assert_double_near(number_of(lines, 0, "excess_sd"), 0, 0);
    assert_double_near(number_of(lines, 0, "opposite") + number_of(lines, 0, "changed"), 0, 0);
    json_decref(lines);
    rows_free(&rows);
}

/* Small shapes whose intervals are too narrow: they differ by three half-widths. */
TEST(test_too_narrow) {
    struct rows first = {0}, second = {0};
    for (size_t i = 0; i < ROWS; i++) {
        add(&first, i, 5, 0.01);
        add(&second, i, i < SMALL ? 8 : 5.5, 0.01);
    }
    json_t *lines = lines_of(&first, &second);
    assert_double_near(number_of(lines, 0, "agree"), (double)LARGE / ROWS, 1e-12);
    assert_double_near(number_of(lines, 1, "agree"), 0, 0);
    assert_double_near(number_of(lines, 2, "agree"), 1, 0);
    assert_true(number_of(lines, 1, "agree_high") < 0.1);
    assert_double_near(number_of(lines, 1, "median_difference"), expm1(0.03), 1e-12);
    /* Of two variances (0.01 / 2.02)^2. */
    assert_double_near(number_of(lines, 1, "excess_sd"), sqrt(9e-4 - 2e-4 / 4.085), 1e-5);
    assert_non_null(strstr(said, "| 2.92 |"));
    assert_double_near(number_of(lines, 2, "excess_sd"), 0, 0);
    json_decref(lines);
    rows_free(&first);
    rows_free(&second);
}

/* One row turns from faster to slower, two become undecided; so does one of -max. Rows without an
 * interval and rows of one run are no pairs. */
TEST(test_flips) {
    struct rows first = {0}, second = {0};
    for (size_t i = 0; i < ROWS; i++) {
        add(&first, i, 2, 0.01);
        add(&second, i, i == 0 ? -2 : i < 3 ? 0.5 : 2, 0.01);
    }
    add_to(&first, 0, 2, 0.01, "lib-max", "device");
    add_to(&second, 0, -2, 0.01, "lib-max", "device");
    add_to(&first, 0, 2, 0.01, "lib-nn", "call");
    second.ratios[3].ci_low = second.ratios[3].ci_high = NAN;
    json_t *lines = lines_of(&first, &second);
    assert_int_equal(json_array_size(lines), 3);
    assert_double_near(number_of(lines, 0, "pairs"), ROWS, 0);
    assert_double_near(number_of(lines, 0, "opposite"), 2, 0);
    assert_double_near(number_of(lines, 0, "changed"), 2, 0);
    assert_double_near(number_of(lines, 2, "changed"), 0, 0);
    json_decref(lines);
    rows_free(&first);
    rows_free(&second);
}
