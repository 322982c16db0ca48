/* The faster of two layouts: chosen by blocks that are in no estimate of it. */
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "reports/rows/derive.h"
#include "reports/rows/layouts.h"
#include "tests/support/doubles.h"
#include "tests/support/draws.h"
#include "tests/support/test.h"
#include "timing/stats.h"

enum { NN, TN, MINE, VISIT, COLUMNS, MOST_BLOCKS = 400 };

static float values[MOST_BLOCKS * COLUMNS];

static struct samples some_samples(size_t visits, size_t blocks) {
    struct samples samples = {.mode = "offline",
                              .lens = "device",
                              .columns = {"lib-nn", "lib-tn", "mine", SAMPLES_VISIT},
                              .column_count = COLUMNS,
                              .blocks = visits * blocks,
                              .values = values,
                              .seen = visits * blocks,
                              .every = 1,
                              .calls = 1,
                              .planted_seconds = NAN};
    for (size_t b = 0; b < samples.blocks; b++)
        values[b * COLUMNS + VISIT] = (float)(b / blocks);
    return samples;
}

static void put(size_t block, int column, double us) {
    values[block * COLUMNS + (size_t)column] = (float)(us * 1e-6);
}

static float max_at(const struct layouts *layouts, size_t block) {
    const struct samples *samples = &layouts->samples;
    return samples->values[block * samples->column_count + layouts->list[0].column];
}

/* The first visit says which layout is taken, whatever the others say, and is not of -max. */
TEST(the_first_visit_chooses) {
    struct samples samples = some_samples(4, 10);
    struct layouts layouts;
    for (size_t b = 0; b < samples.blocks; b++) {
        put(b, NN, b < 10 ? 10 : 12);
        put(b, TN, 11);
    }
    assert_int_equal(layouts_add(&samples, &layouts), 0);
    assert_int_equal(layouts.count, 1);
    const size_t max = layouts.list[0].column;
    assert_string_equal(layouts.samples.columns[max], "lib-max");
    for (size_t b = 0; b < samples.blocks; b++)
        assert_true(b < 10 ? max_at(&layouts, b) < 0
                           : max_at(&layouts, b) == values[b * COLUMNS + NN]);
    assert_string_equal(layouts_say(&layouts, max), "nn is the faster layout");
    assert_null(layouts_say(&layouts, NN));
    layouts_free(&layouts);
    for (size_t b = 0; b < samples.blocks; b++)
        put(b, MINE, 10);
    for (size_t b = 0; b < 10; b++)
        put(b, NN, b < 4 ? 10 : 12); /* the median of the first visit */
    assert_int_equal(layouts_add(&samples, &layouts), 0);
    assert_string_equal(layouts_say(&layouts, max), "tn is the faster layout");
    assert_int_equal(derive_ratio(&layouts.samples, max, MINE, -1).count, 3);
    assert_true(isnan(derive_ratio(&layouts.samples, max, MINE, 0).estimate));
    layouts_free(&layouts);
}

/* Of one visit and of two a quarter of the first chooses. */
TEST(a_quarter_chooses_of_few_visits) {
    for (size_t visits = 1; visits <= 2; visits++) {
        struct samples samples = some_samples(visits, 20);
        struct layouts layouts;
        for (size_t b = 0; b < samples.blocks; b++) {
            put(b, NN, b < 5 ? 10 : 12);
            put(b, TN, 11);
        }
        assert_int_equal(layouts_add(&samples, &layouts), 0);
        for (size_t b = 0; b < samples.blocks; b++)
            assert_true(b < 5 ? max_at(&layouts, b) < 0
                              : max_at(&layouts, b) == values[b * COLUMNS + NN]);
        layouts_free(&layouts);
    }
}

/* Two layouts that are the same kernel, in processes that favour the one or the other by chance.
 * The candidate takes as long as both, so that ln ratio to -max is 0. */
static void fill_equal(const struct samples *samples, size_t blocks, uint64_t *draws) {
    double process[MINE + 1] = {0};
    for (size_t b = 0; b < samples->blocks; b++)
        for (int c = NN; c <= MINE; c++) {
            if (b % blocks == 0)
                process[c] = 0.005 * draw_normal(draws);
            put(b, c, 10 * exp(process[c] + 0.01 * draw_normal(draws)));
        }
}

struct bias {
    double mean, error; /* of ln ratio to -max */
    double covered;     /* share of its intervals that hold 0 */
    double naive;       /* to the layout with the smaller speedup in the same blocks */
};

static struct bias bias_of(size_t visits, size_t blocks) {
    enum { SHAPES = 600 };
    double x[SHAPES], naive[SHAPES], covered = 0;
    uint64_t draws = 11;
    const struct derive_about about = {
        .shape = {64, 64, 64}, .candidate = "mine", .cache = "warm", .light_seconds = NAN};
    for (size_t i = 0; i < SHAPES; i++) {
        struct samples samples = some_samples(visits, blocks);
        struct rows rows = {0};
        fill_equal(&samples, blocks, &draws);
        assert_int_equal(derive_rows(&samples, &about, &rows), 0);
        assert_int_equal(rows.ratio_count, 3);
        assert_string_equal(rows.ratios[2].baseline, "lib-max");
        x[i] = log(rows.ratios[2].ratio);
        covered += rows.ratios[2].ci_low <= 1 && 1 <= rows.ratios[2].ci_high;
        naive[i] = log(fmin(rows.ratios[0].ratio, rows.ratios[1].ratio));
        rows_free(&rows);
    }
    return (struct bias){stats_mean(x, SHAPES), stats_sd(x, SHAPES) / sqrt(SHAPES),
                         covered / SHAPES, stats_mean(naive, SHAPES)};
}

TEST(equal_layouts_have_no_bias) {
    static const size_t visits[] = {4, 12};
    for (size_t i = 0; i < 2; i++) {
        const struct bias bias = bias_of(visits[i], 20);
        print_message("%zu visits: %.5f +- %.5f, %.3f covered; the better in the same blocks "
                      "%.5f\n",
                      visits[i], bias.mean, bias.error, bias.covered, bias.naive);
        assert_true(fabs(bias.mean) < 3 * bias.error);
        assert_double_near(bias.covered, 0.95, 3 * sqrt(0.95 * 0.05 / 600));
        assert_true(bias.naive < -6 * bias.error); /* what choosing in the same blocks would cost */
    }
}

/* What favours a layout in a whole process cannot be told in one; noise can. */
TEST(one_visit_loses_what_blocks_tell) {
    const struct bias bias = bias_of(1, 20);
    print_message("1 visit: %.5f +- %.5f; the better in the same blocks %.5f\n", bias.mean,
                  bias.error, bias.naive);
    assert_true(bias.mean > 0.9 * bias.naive && bias.mean < 0);
}

/* A layout that is faster beyond doubt is taken, and -max is that but for the first visit. */
TEST(a_clear_choice_costs_nothing) {
    struct samples samples = some_samples(4, 20);
    struct rows rows = {0};
    uint64_t draws = 5;
    const struct derive_about about = {
        .shape = {64, 64, 64}, .candidate = "mine", .cache = "warm", .light_seconds = NAN};
    fill_equal(&samples, 20, &draws);
    for (size_t b = 0; b < samples.blocks; b++)
        values[b * COLUMNS + TN] *= 0.8F;
    assert_int_equal(derive_rows(&samples, &about, &rows), 0);
    const struct ratio_row *tn = &rows.ratios[1], *max = &rows.ratios[2];
    /* but for the first of four visits */
    assert_double_near(tn->samples, 80, 0);
    assert_double_near(max->samples, 60, 0);
    assert_double_near(max->visits, 3, 0);
    assert_double_near(log(max->ratio / tn->ratio), 0, 2 * tn->visit_sd);
    assert_string_equal(max->note, "tn is the faster layout");
    rows_free(&rows);
}
