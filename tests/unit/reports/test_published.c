/* A run beside what was published. Correlations against scipy 1.x's spearmanr, means and medians against numpy. */

#include <math.h>

#include "reports/page/writers.h"
#include "tests/support/section.h"
#include "tests/support/test.h"

static void add(struct rows *rows, int64_t m, const char *candidate, const char *mode,
                const char *baseline, double speedup) {
    struct ratio_row row = {.shape = {m, 64, 64}, .speedup = speedup, .ratio = NAN};
    row.candidate = candidate;
    row.mode = mode;
    row.lens = "call";
    row.baseline = baseline;
    rows_add_ratio(rows, &row);
}

/* The lines of the table. The caller lets go. */
static json_t *lines_of(const struct rows *ours, const struct rows *theirs) {
    struct document *page = section_beside(ours, theirs, assets_published_md);
    json_t *lines = write_json_table(page, "published");
    assert_non_null(lines);
    document_free(page);
    return lines;
}

static void near(const json_t *lines, size_t line, const char *key, double want) {
    const json_t *value = json_object_get(json_array_get(lines, line), key);
    const double got = json_is_number(value) ? json_number_value(value) : NAN;
    if (isnan(want) ? !isnan(got) : !(fabs(got - want) <= 1e-11))
        fail_msg("%s is %.17g, not %.17g", key, got, want);
}

static void is(const json_t *lines, size_t line, const char *key, const char *want) {
    assert_string_equal(json_string_value(json_object_get(json_array_get(lines, line), key)), want);
}

/* there = numpy.array([.25, -.1, .5, .0625]), here = numpy.array([.1, -.2, -.1, .3]):
 * there.mean(), here.mean(), spearmanr(there, here)[0], numpy.median((1 + here) / (1 + there)). */
TEST(a_line_is_over_the_shapes_of_both) {
    struct rows ours = {0}, theirs = {0};
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

    json_t *lines = lines_of(&ours, &theirs);
    assert_int_equal(json_array_size(lines), 2);
    is(lines, 0, "baseline", "torch-matmul");
    near(lines, 0, "shapes", 1);
    near(lines, 0, "quotient", 1);
    near(lines, 0, "near", 1);
    near(lines, 0, "in neither", 1);
    near(lines, 0, "order", NAN);
    near(lines, 0, "their mean %", NAN);
    is(lines, 1, "baseline", "cublas-max");
    near(lines, 1, "shapes", 4);
    near(lines, 1, "mean % there", 0.178125);
    near(lines, 1, "mean % here", 0.025);
    near(lines, 1, "order", 0.2);
    near(lines, 1, "quotient", 0.8844444444446);
    near(lines, 1, "near", 0); /* 0.88, 0.889, 0.6, 1.22; 1/1.1 is 0.909 */
    near(lines, 1, "faster in both", 2);
    near(lines, 1, "only there", 1);
    near(lines, 1, "only here", 0);
    near(lines, 1, "others", 2);
    near(lines, 1, "their mean %", 0.375);
    json_decref(lines);
    rows_free(&ours);
    rows_free(&theirs);
}
