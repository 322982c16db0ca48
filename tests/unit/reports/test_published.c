/* Correlations against scipy 1.x's spearmanr, means and medians against numpy. */

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "reports/tables/published.h"
#include "tests/support/test.h"

static void near(double got, double want) {
    if (!(fabs(got - want) <= 1e-12))
        fail_msg("got %.17g, want %.17g", got, want);
}

static void add(struct rows *rows, int64_t m, const char *candidate, const char *mode,
                const char *baseline, double speedup) {
    struct ratio_row row = {.shape = {m, 64, 64}, .speedup = speedup, .ratio = NAN};
    row.candidate = candidate;
    row.mode = mode;
    row.lens = "call";
    row.baseline = baseline;
    rows_add_ratio(rows, &row);
}

/* there = numpy.array([.25, -.1, .5, .0625]), here = numpy.array([.1, -.2, -.1, .3]):
 * there.mean(), here.mean(), spearmanr(there, here)[0], numpy.median((1 + here) / (1 + there)). */
TEST(a_line_is_over_the_shapes_of_both) {
    struct rows ours = {0}, theirs = {0};
    struct published published;
    add(&ours, 4, "mine", "offline", "cublas-max", 0.3);
    add(&ours, 3, "mine", "offline", "cublas-max", -0.1);
    add(&ours, 2, "mine", "offline", "cublas-max", -0.2);
    add(&ours, 1, "mine", "offline", "cublas-max", 0.1);
    add(&ours, 5, "mine", "offline", "cublas-max", NAN); /* refused */
    add(&ours, 6, "mine", "offline", "cublas-max", 9);   /* not published */
    add(&ours, 1, "mine", "offline", "cublas-nn", 9);    /* no main baseline */
    add(&ours, 1, "mine", "server", "cublas-max", 9);
    add(&ours, 1, "mine", "offline", "torch-matmul", 0);
    add(&theirs, 1, "cuda-l2", "offline", "cublas-max", 0.25);
    add(&theirs, 2, "cuda-l2", "offline", "cublas-max", -0.1);
    add(&theirs, 3, "cuda-l2", "offline", "cublas-max", 0.5);
    add(&theirs, 4, "cuda-l2", "offline", "cublas-max", 0.0625);
    add(&theirs, 5, "cuda-l2", "offline", "cublas-max", 0.5);
    add(&theirs, 7, "cuda-l2", "offline", "cublas-max", 0.25);
    add(&theirs, 1, "cuda-l2", "offline", "cublas-nn", 1);
    add(&theirs, 1, "cuda-l2", "offline", "torch-matmul", 0);

    published_make(&ours, &theirs, &published);
    assert_int_equal(published.count, 2);
    const struct published_line *torch = published.lines, *line = torch + 1;
    assert_string_equal(torch->of->baseline, "torch-matmul");
    assert_int_equal(torch->shapes, 1);
    near(torch->quotient, 1);
    assert_int_equal(torch->near, 1);
    assert_int_equal(torch->both_faster + torch->only_theirs + torch->only_ours, 0);
    assert_true(isnan(torch->correlation) && isnan(torch->others_theirs));
    assert_string_equal(line->of->baseline, "cublas-max");
    assert_int_equal(line->shapes, 4);
    near(line->theirs, 0.178125);
    near(line->ours, 0.025);
    near(line->correlation, 0.2);
    near(line->quotient, 0.8844444444444446);
    assert_int_equal(line->near, 0); /* 0.88, 0.889, 0.6, 1.22; 1/1.1 is 0.909 */
    assert_int_equal(line->both_faster, 2);
    assert_int_equal(line->only_theirs, 1);
    assert_int_equal(line->only_ours, 0);
    assert_int_equal(line->others, 2);
    near(line->others_theirs, 0.375);
    assert_int_equal(line->pairs[0].ours->shape.m, 1);
    assert_true(line->pairs[3].theirs == &theirs.ratios[3] && line->pairs[3].ours == ours.ratios);
    published_free(&published);
    rows_free(&ours);
    rows_free(&theirs);
}

/* Names matter where there is more than one. */
TEST(candidates_go_by_their_names) {
    struct rows ours = {0}, theirs = {0};
    struct published published;
    for (int i = 0; i < 2; i++) {
        add(&ours, 1, i ? "b" : "a", "offline", "cublas-max", 0.1 * i);
        add(&theirs, 1, i ? "b" : "c", "offline", "cublas-max", 0.5 + i);
    }
    published_make(&ours, &theirs, &published);
    assert_int_equal(published.count, 1);
    assert_string_equal(published.lines->of->candidate, "b");
    near(published.lines->theirs, 1.5);
    published_free(&published);
    rows_free(&ours);
    rows_free(&theirs);
}

TEST(nothing_in_common_is_no_line) {
    struct rows ours = {0}, theirs = {0};
    struct published published;
    published_make(&ours, &theirs, &published);
    assert_int_equal(published.count, 0);
    published_free(&published);
    add(&ours, 1, "a", "offline", "cublas-max", 0.1);
    add(&theirs, 2, "a", "offline", "cublas-max", 0.1);
    published_make(&ours, &theirs, &published);
    assert_int_equal(published.count, 0);
    published_free(&published);
    rows_free(&ours);
    rows_free(&theirs);
}
