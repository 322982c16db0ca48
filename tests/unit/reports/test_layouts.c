/* The faster of two layouts: chosen by the mean of all visits. */
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "reports/rows/derive.h"
#include "reports/rows/series.h"
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
                              .calls = 1,
                              .planted_seconds = NAN};
    for (size_t b = 0; b < samples.blocks; b++)
        values[b * COLUMNS + VISIT] = (float)(b / blocks);
    return samples;
}

static void put(size_t block, int column, double us) {
    values[block * COLUMNS + (size_t)column] = (float)(us * 1e-6);
}

static float max_at(const struct series *series, size_t block) {
    const struct samples *samples = &series->plain;
    return samples->values[block * samples->column_count + series->layouts.list[0].column];
}

/* The mean of all visits says which layout is taken, whatever one of them says. */
TEST(all_visits_choose) {
    struct samples samples = some_samples(4, 10);
    for (int is_nn = 0; is_nn < 2; is_nn++) {
        struct series series;
        for (size_t b = 0; b < samples.blocks; b++) {
            put(b, NN, b < 10 ? (is_nn ? 12 : 10) : (is_nn ? 10.4 : 11.5));
            put(b, TN, 11);
            put(b, MINE, 10);
        }
        assert_int_equal(
            series_open(&samples, &(struct derive_about){.candidate = "mine"}, &series), 0);
        assert_int_equal(series.layouts.count, 1);
        const size_t max = series.layouts.list[0].column;
        assert_string_equal(series.plain.columns[max], "lib-max");
        for (size_t b = 0; b < samples.blocks; b++)
            assert_true(max_at(&series, b) == values[b * COLUMNS + (is_nn ? NN : TN)]);
        char text[LAYOUTS_TEXT];
        assert_string_equal(layouts_say(&series.plain, &series.layouts, max, text),
                            is_nn ? "nn is the faster layout" : "tn is the faster layout");
        assert_null(layouts_say(&series.plain, &series.layouts, NN, text));
        assert_int_equal(derive_ratio(&series.plain, max, MINE, -1, NULL).count, 4);
        series_close(&series);
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

/* Of 600 shapes: the mean of ln ratio to -max, and the share of its intervals that hold 0. */
static double bias_of(size_t visits, size_t blocks, double *covered) {
    enum { SHAPES = 600 };
    double sum = 0;
    uint64_t draws = 11;
    const struct derive_about about = {
        .shape = {64, 64, 64}, .candidate = "mine", .cache = "warm", .light_seconds = NAN};
    *covered = 0;
    for (size_t i = 0; i < SHAPES; i++) {
        struct samples samples = some_samples(visits, blocks);
        struct rows rows = {0};
        fill_equal(&samples, blocks, &draws);
        assert_int_equal(derive_unit(&samples, 1, &about, &rows), 0);
        assert_int_equal(rows.ratio_count, 3);
        assert_string_equal(rows.ratios[2].baseline, "lib-max");
        assert_true(rows.ratios[2].ratio == rows.ratios[0].ratio ||
                    rows.ratios[2].ratio == rows.ratios[1].ratio);
        sum += log(rows.ratios[2].ratio) / SHAPES;
        *covered += (rows.ratios[2].ci_low <= 1 && 1 <= rows.ratios[2].ci_high) / (double)SHAPES;
        rows_free(&rows);
    }
    return sum;
}

/* A process moves each arm by 0.5 %, so that the ratio of the layouts over R visits has an error of
 * 0.71 % / sqrt(R), of which the choice takes 0.4. */
TEST(equal_layouts_favour_the_luckier_one_a_little) {
    static const size_t visits[] = {4, 12};
    for (size_t i = 0; i < 2; i++) {
        double covered;
        const double bias = bias_of(visits[i], 20, &covered);
        const double expected = -sqrt(2) * 0.005 / sqrt((double)visits[i]) / sqrt(2 * 3.14159265);
        print_message("%zu visits: %.5f, expected %.5f, %.3f covered\n", visits[i], bias, expected,
                      covered);
        assert_double_near(bias, expected, 0.0004);
        assert_true(covered > 0.92);
    }
}

/* A layout that is faster beyond doubt is taken, and -max is that. */
TEST(a_clear_choice_costs_nothing) {
    struct samples samples = some_samples(4, 20);
    struct rows rows = {0};
    uint64_t draws = 5;
    const struct derive_about about = {
        .shape = {64, 64, 64}, .candidate = "mine", .cache = "warm", .light_seconds = NAN};
    fill_equal(&samples, 20, &draws);
    for (size_t b = 0; b < samples.blocks; b++)
        values[b * COLUMNS + TN] *= 0.8F;
    assert_int_equal(derive_unit(&samples, 1, &about, &rows), 0);
    const struct ratio_row *tn = &rows.ratios[1], *max = &rows.ratios[2];
    assert_double_near(tn->samples, 80, 0);
    assert_double_near(max->samples, 80, 0);
    assert_double_near(max->visits, 4, 0);
    assert_double_near(max->ratio, tn->ratio, 0);
    assert_string_equal(max->note, "tn is the faster layout");
    rows_free(&rows);
}

/* Two finalists of lib-autotune-tn and its first suggestion, in blocks of one after the other. */
enum { HEURISTIC, FIFTH, SECOND, OURS, WHICH, FINALISTS };
static const struct samples finalists = {.mode = "offline",
                                         .lens = "device",
                                         .columns = {"lib-heuristic-tn", "lib-autotune-tn#5",
                                                     "lib-autotune-tn#2", "mine", SAMPLES_VISIT},
                                         .column_count = FINALISTS,
                                         .blocks = 40,
                                         .values = values,
                                         .calls = 1,
                                         .planted_seconds = NAN};

/* The one that is told by us in all visits and more in the first. */
static void put_finalists(const double us[3], double first) {
    for (size_t b = 0; b < finalists.blocks; b++) {
        for (int c = HEURISTIC; c <= OURS; c++)
            values[b * FINALISTS + (size_t)c] =
                (float)((c == OURS ? 8 : us[c] + (b < 10 ? first * c : 0)) * 1e-6);
        values[b * FINALISTS + WHICH] = (float)(b / 10);
    }
}

/* In the first visit alone the second suggestion is the slowest. */
TEST(an_autotuned_library_is_its_best_finalist_or_its_first_suggestion) {
    static const struct {
        double us[3], first, is;
        const char *note;
    } cases[] = {{{10, 9.5, 9}, 0.3, 9.15, "suggestion 2 is the fastest"},
                 {{10, 9, 9.5}, 0.1, 9.025, "suggestion 5 is the fastest"},
                 {{10, 10.5, 11}, 0, 10, "suggestion 1 is the fastest"}};
    const struct derive_about about = {
        .shape = {64, 64, 64}, .candidate = "mine", .cache = "warm", .light_seconds = NAN};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct rows rows = {0};
        put_finalists(cases[i].us, cases[i].first);
        assert_int_equal(derive_unit(&finalists, 1, &about, &rows), 0);
        assert_int_equal(rows.ratio_count, 2); /* finalists are none of their own */
        assert_string_equal(rows.ratios[0].baseline, "lib-heuristic-tn");
        const struct ratio_row *row = &rows.ratios[1];
        assert_string_equal(row->baseline, "lib-autotune-tn");
        assert_double_near(row->ratio, cases[i].is / 8, 1e-3);
        assert_double_near(row->visits, 4, 0);
        assert_string_equal(row->note, cases[i].note);
        assert_int_equal(rows.visit_count, 8);
        assert_int_equal(rows.time_count, 5); /* each arm, and the library */
        assert_string_equal(rows.times[1].kernel, "lib-autotune-tn#5");
        assert_string_equal(rows.times[4].kernel, "lib-autotune-tn");
        assert_string_equal(rows.times[4].note, cases[i].note);
        assert_int_equal(rows.control_count,
                         i < 2); /* there is none where it is its first suggestion */
        assert_true(i == 2 || strcmp(rows.controls[0].verdict, "ok") == 0);
        rows_free(&rows);
    }
}

/* One that was chosen in another way may be slower than its first suggestion. The control says so. */
TEST(an_autotuned_library_that_is_slower_than_its_first_suggestion_is_told) {
    static const struct {
        const char *column; /* of the first suggestion */
        double first;       /* microseconds */
        const char *verdict;
    } cases[] = {{"lib-heuristic-tn", 9, "off"},
                 {"lib-autotune-tn#1", 9, "off"},
                 {"lib-heuristic-tn", 11, "ok"}};
    const struct derive_about about = {.candidate = "", .cache = "warm", .light_seconds = NAN};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct samples samples = finalists;
        struct rows rows = {0};
        put_finalists((const double[]){cases[i].first, 10, 30}, 0);
        strcpy(samples.columns[HEURISTIC], cases[i].column);
        strcpy(samples.columns[FIFTH], "lib-autotune-tn");
        strcpy(samples.columns[SECOND], "other");
        assert_int_equal(derive_unit(&samples, 1, &about, &rows), 0);
        assert_int_equal(rows.control_count, 1);
        assert_string_equal(rows.controls[0].control, "autotune");
        assert_string_equal(rows.controls[0].baseline, "lib-autotune-tn");
        assert_double_near(rows.controls[0].ratio, 10 / cases[i].first, 1e-6);
        assert_string_equal(rows.controls[0].verdict, cases[i].verdict);
        rows_free(&rows);
    }
}

/* By a lens that tells it, what the launches took the host is that of the arm that is chosen. */
TEST(what_the_host_took_goes_with_the_arm) {
    struct samples samples = {.mode = "offline",
                              .lens = "call",
                              .columns = {"lib-tn#1", "lib-tn#3", SAMPLES_HOST "lib-tn#1",
                                          SAMPLES_HOST "lib-tn#3", SAMPLES_VISIT},
                              .column_count = FINALISTS,
                              .blocks = 8,
                              .values = values,
                              .calls = 1,
                              .planted_seconds = NAN};
    const struct derive_about about = {.candidate = "", .cache = "warm", .light_seconds = NAN};
    struct rows rows = {0};
    for (size_t b = 0; b < samples.blocks; b++) {
        const float row[] = {9e-6F, 8e-6F, 2e-6F, 3e-6F, (float)(b / 4)};
        memcpy(values + b * FINALISTS, row, sizeof row);
    }
    assert_int_equal(derive_unit(&samples, 1, &about, &rows), 0);
    assert_int_equal(rows.time_count, 3);
    assert_string_equal(rows.times[2].kernel, "lib-tn");
    assert_double_near(rows.times[2].host_seconds, 3e-6, 1e-12);
    assert_double_near(rows.times[2].median, 8e-6, 1e-12);
    rows_free(&rows);
}
