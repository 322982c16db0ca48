/* Rows of a run, whose visits' variances are known, before and after they are moderated. */
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "reports/pairs/moderate.h"
#include "reports/rows/size_class.h"
#include "tests/support/doubles.h"
#include "tests/support/test.h"
#include "timing/tails.h"

enum { VISITS = 4, ROWS = 40 };

/* Small products, and a class of large ones. */
static const struct shape small = {64, 64, 64}, large = {4096, 4096, 4096};

static struct ratio_row *add(struct rows *rows, struct shape shape, const char *baseline,
                             double visit_sd) {
    const double half = tails_student_quantile(0.975, VISITS - 1) * visit_sd / sqrt(VISITS);
    struct ratio_row row = {.shape = shape,
                            .candidate = "mine",
                            .mode = "offline",
                            .lens = "device",
                            .ratio = 1.01,
                            .ci_low = 1.01 * exp(-half),
                            .ci_high = 1.01 * exp(half),
                            .visits = VISITS,
                            .visit_sd = visit_sd,
                            .block_error = visit_sd / 100,
                            .freedom = VISITS - 1,
                            .verdict = "undecided"};
    snprintf(row.baseline, sizeof row.baseline, "%s", baseline);
    rows_add_ratio(rows, &row);
    return &rows->ratios[rows->ratio_count - 1];
}

/* A standard deviation that scatters about `level` as that of four visits of equal rows would: the
 * quantiles of chi-squared with 3 degrees of freedom, by Wilson and Hilferty. */
static double scattered(double level, size_t i, size_t n) {
    const double z = tails_student_quantile(((double)i + 0.5) / (double)n, INFINITY);
    return level * sqrt(pow(1 - 2.0 / 27 + z * sqrt(2.0 / 27), 3));
}

static void add_many(struct rows *rows, struct shape shape, size_t count, double level) {
    for (size_t i = 0; i < count; i++) {
        const struct shape mine = {shape.m + (int64_t)i, shape.n, shape.k};
        add(rows, mine, "lib-nn", scattered(level, i, count));
    }
}

static double half_of(const struct ratio_row *row) {
    return log(row->ci_high / row->ci_low) / 2;
}

/* Rows that scatter no more than chance get the width that all of them together show. */
TEST(test_alike) {
    struct rows rows = {0};
    add_many(&rows, small, ROWS, 0.002);
    const double narrow = half_of(&rows.ratios[0]), wide = half_of(&rows.ratios[ROWS - 1]);
    moderate_rows(&rows);
    for (size_t i = 0; i < ROWS; i++) {
        assert_double_near(half_of(&rows.ratios[i]), 1.98 * 0.002 / sqrt(VISITS), 1.5e-4);
        assert_true(rows.ratios[i].freedom > 30);
        assert_string_equal(rows.ratios[i].verdict, "same"); /* 0.8 to 1.2 % */
        assert_double_near(rows.ratios[i].ratio, 1.01, 0);
    }
    assert_true(half_of(&rows.ratios[0]) > 2 * narrow);
    assert_true(half_of(&rows.ratios[ROWS - 1]) < wide / 2);
    rows_free(&rows);
}

/* A kernel that tunes itself keeps its width among quiet neighbours. */
TEST(test_wild) {
    struct rows rows = {0};
    add_many(&rows, small, ROWS, 0.002);
    add(&rows, (struct shape){128, 128, 64}, "lib-nn", 0.12);
    const double before = half_of(&rows.ratios[ROWS]);
    moderate_rows(&rows);
    assert_true(half_of(&rows.ratios[ROWS]) > 0.9 * before);
    assert_string_equal(rows.ratios[ROWS].verdict, "undecided");
    assert_double_near(half_of(&rows.ratios[ROWS / 2]), 1.98 * 0.002 / sqrt(VISITS), 2e-4);
    rows_free(&rows);
}

/* Sizes, lenses and modes have levels of their own; a class of few rows goes with all sizes. */
TEST(test_classes) {
    struct rows rows = {0};
    assert_int_not_equal(size_class_of(small), size_class_of(large));
    add_many(&rows, small, ROWS, 0.01);
    add_many(&rows, large, MODERATE_LEAST, 0.001);
    add_many(&rows, (struct shape){64, 64, 128}, ROWS, 0.05);
    for (size_t i = ROWS + MODERATE_LEAST; i < rows.ratio_count; i++)
        strcpy(rows.ratios[i].lens, "call");
    struct rows few = {0}; /* the same with one large row less */
    for (size_t i = 0; i < rows.ratio_count; i++)
        if (i != ROWS + MODERATE_LEAST - 1)
            rows_add_ratio(&few, &rows.ratios[i]);
    moderate_rows(&rows);
    moderate_rows(&few);
    assert_double_near(half_of(&rows.ratios[0]), 1.98 * 0.01 / sqrt(VISITS), 1e-3);
    for (size_t i = 0; i < MODERATE_LEAST; i++) {
        assert_double_near(half_of(&rows.ratios[ROWS + i]), 2.04 * 0.001 / sqrt(VISITS), 2e-4);
        if (i < MODERATE_LEAST - 1)
            assert_true(half_of(&few.ratios[ROWS + i]) > 1.5 * half_of(&rows.ratios[ROWS + i]));
    }
    assert_double_near(half_of(&rows.ratios[ROWS + MODERATE_LEAST]), 1.98 * 0.05 / sqrt(VISITS),
                       5e-3);
    rows_free(&rows);
    rows_free(&few);
}

/* Rows of one shape share a kernel's arm: many of them know no more than one does, and they are no
 * class of their own. */
TEST(test_one_shape) {
    struct rows rows = {0};
    for (size_t i = 0; i < ROWS; i++) {
        char baseline[16];
        snprintf(baseline, sizeof baseline, "lib%zu-nn", i);
        add(&rows, small, baseline, scattered(0.002, i, ROWS));
    }
    moderate_rows(&rows);
    for (size_t i = 0; i < ROWS; i++) {
        assert_double_near(rows.ratios[i].freedom, VISITS - 1, 1e-9);
        assert_double_near(half_of(&rows.ratios[i]), 3.1824 * 0.002 / sqrt(VISITS), 4e-4);
    }
    rows_free(&rows);
    for (size_t i = 0; i < 2 * ROWS; i++)
        add(&rows, i < ROWS ? small : (struct shape){4096 + (int64_t)i, 4096, 4096},
            i % 2 ? "lib-nn" : "lib-tn", 0.002);
    moderate_rows(&rows);
    assert_double_near(rows.ratios[0].freedom, (ROWS + 1) * (VISITS - 1), 1e-9);
    assert_double_near(rows.ratios[ROWS].freedom, ROWS * (VISITS - 1), 1e-9);
    rows_free(&rows);
}

/* Steps of the clock are part of the variance, and half of them the least width. */
TEST(test_clock) {
    struct rows rows = {0};
    add_many(&rows, small, ROWS, 0.002);
    for (size_t i = 0; i < ROWS; i++)
        rows.ratios[i].clock_step = 0.03;
    moderate_rows(&rows);
    for (size_t i = 0; i < ROWS; i++)
        assert_double_near(half_of(&rows.ratios[i]), 0.015, 1e-12);
    rows_free(&rows);
    for (size_t i = 0; i < ROWS; i++) {
        add(&rows, (struct shape){64 + (int64_t)i, 64, 64}, "lib-nn", 0)->clock_step = 0.03;
        rows.ratios[i].freedom = 1;
    }
    moderate_rows(&rows);
    assert_true(half_of(&rows.ratios[0]) >= 0.015);
    rows_free(&rows);
    /* A step of twice the deviation makes variances 1 + 4 / 12 of what they are. */
    double halves[2];
    for (int stepped = 0; stepped < 2; stepped++) {
        for (size_t i = 0; i < ROWS; i++)
            add(&rows, (struct shape){64 + (int64_t)i, 64, 64}, "lib-nn", 0.01)->clock_step =
                0.02 * stepped;
        moderate_rows(&rows);
        halves[stepped] = half_of(&rows.ratios[0]);
        rows_free(&rows);
    }
    assert_double_near(halves[1] / halves[0], sqrt(4.0 / 3), 1e-9);
}

/* Controls are moderated by those of their kind; ratios make no difference to them. */
TEST(test_controls) {
    struct rows rows = {0};
    add_many(&rows, small, ROWS, 0.05);
    static const char *const kinds[] = {"aa", "delay"};
    for (size_t i = 0; i < 2 * ROWS; i++) {
        const bool delay = i >= ROWS;
        struct control_row row = {.shape = {64 + (int64_t)(i % ROWS), 64, 64},
                                  .candidate = "mine",
                                  .baseline = "lib-nn",
                                  .mode = "offline",
                                  .lens = "device",
                                  .ratio = delay ? 1.1 : 1.004,
                                  .ci_low = 0.9,
                                  .ci_high = 1.2,
                                  .visits = VISITS,
                                  .visit_sd = scattered(delay ? 0.02 : 0.002, i % ROWS, ROWS),
                                  .freedom = VISITS - 1,
                                  .verdict = "ok"};
        strcpy(row.control, kinds[delay]);
        if (i == ROWS)
            strcpy(row.verdict, "missed");
        rows_add_control(&rows, &row);
    }
    moderate_rows(&rows);
    for (size_t i = 0; i < ROWS; i++) {
        const struct control_row *aa = &rows.controls[i], *delay = aa + ROWS;
        assert_double_near(log(aa->ci_high / aa->ci_low) / 2, 1.98 * 0.002 / sqrt(VISITS), 1.5e-4);
        assert_double_near((delay->ci_high - delay->ci_low) / 2, 1.98 * 0.02 / sqrt(VISITS),
                           1.5e-3);
        assert_double_near(aa->error, 0.002 / sqrt(VISITS), 1e-4);
        assert_true(aa->freedom > 30 && delay->freedom > 30);
        assert_string_equal(aa->verdict, "ok"); /* 1 to a quarter of a per cent */
        assert_string_equal(delay->verdict, i == 0 ? "missed" : "off");
    }
    rows_free(&rows);
}

/* What has one visit, no number or no visits' variance stays as it is, and so does `environment`.
 */
TEST(test_left_alone) {
    struct rows rows = {0};
    add_many(&rows, small, ROWS, 0.002);
    struct ratio_row *one = add(&rows, (struct shape){65, 65, 64}, "lib-nn", NAN);
    one->freedom = 4;
    one->ci_low = 0.9;
    one->ci_high = 1.1;
    struct ratio_row *none = add(&rows, (struct shape){66, 65, 64}, "lib-nn", NAN);
    none->ratio = none->ci_low = none->ci_high = none->freedom = NAN;
    rows.ratios[0].disturbed = 0.2;
    moderate_rows(&rows);
    assert_double_near(rows.ratios[ROWS].ci_low, 0.9, 0);
    assert_double_near(rows.ratios[ROWS].freedom, 4, 0);
    assert_string_equal(rows.ratios[ROWS].verdict, "undecided");
    assert_nan(rows.ratios[ROWS + 1].ci_low);
    assert_nan(rows.ratios[ROWS + 1].freedom);
    assert_string_equal(rows.ratios[0].verdict, "environment");
    rows_free(&rows);
    moderate_rows(&rows); /* none at all */
}
