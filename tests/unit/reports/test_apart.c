/* An earlier release and the candidate in processes of their own: rows whose every number is known. */

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "reports/rows/derive.h"
#include "tests/support/doubles.h"
#include "tests/support/test.h"

enum { VISITS = 3, BLOCKS = 8, COLUMNS = 5 };

static float values[2][VISITS * BLOCKS * COLUMNS];
static const struct derive_about about = {.shape = {64, 32, 16},
                                          .candidate = "mine",
                                          .cache = "warm",
                                          .light_seconds = NAN,
                                          .deviation = 0,
                                          .code_length = NAN};

/* A kernel beside two libraries; all of a process are `slow` times as slow as usual in a visit. */
static struct samples process(int which, const char *kernel, double us, const double slow[VISITS]) {
    struct samples samples = {.mode = "offline",
                              .lens = "call",
                              .columns = {"lib-nn", "lib-tn", "", "aa:lib-nn", SAMPLES_VISIT},
                              .column_count = COLUMNS,
                              .blocks = VISITS * BLOCKS,
                              .values = values[which],
                              .calls = 1,
                              .planted_seconds = NAN};
    strcpy(samples.columns[2], kernel);
    for (size_t b = 0; b < VISITS * BLOCKS; b++) {
        const size_t visit = b / BLOCKS;
        const double row[] = {10, 20, us, 10};
        for (size_t c = 0; c < 4; c++)
            values[which][b * COLUMNS + c] = (float)(1e-6 * row[c] * slow[visit]);
        values[which][b * COLUMNS + 4] = (float)visit;
    }
    return samples;
}

static const struct ratio_row *ratio_to(const struct rows *rows, const char *baseline) {
    for (size_t i = 0; i < rows->ratio_count; i++)
        if (strcmp(rows->ratios[i].baseline, baseline) == 0)
            return &rows->ratios[i];
    return NULL;
}

/* What a process is like is in the libraries' times, too. */
TEST(the_libraries_link_two_processes) {
    const double quick[VISITS] = {1, 1, 1}, slow[VISITS] = {1.3, 2, 0.7};
    struct samples list[] = {process(0, "mine", 8, quick), process(1, RUNDIR_PREVIOUS, 9, slow)};
    struct rows rows = {0};
    assert_true(samples_of_previous(&list[1]) && !samples_of_previous(&list[0]));
    assert_int_equal(derive_unit(list, 2, &about, &rows), 0);
    const struct ratio_row *row = ratio_to(&rows, RUNDIR_PREVIOUS);
    assert_non_null(row);
    assert_double_near(row->ratio, 9.0 / 8, 1e-6);
    assert_double_near(row->speedup, 1.0 / 8, 1e-6);
    assert_double_near(row->seconds, 8e-6, 1e-11);
    assert_double_near(row->baseline_seconds, 9e-6, 1e-11);
    assert_double_near(row->visits, VISITS, 0);
    assert_string_equal(row->candidate, "mine");
    assert_string_equal(row->place, "own");
    int visits = 0;
    for (size_t i = 0; i < rows.visit_count; i++)
        if (strcmp(rows.visits[i].baseline, RUNDIR_PREVIOUS) == 0) {
            assert_double_near(rows.visits[i].ratio, 9.0 / 8, 1e-6);
            visits++;
        }
    assert_int_equal(visits, VISITS);
    /* The libraries and their controls are told of the candidate's process. */
    assert_int_equal(rows.time_count, 2 + 1 + 1);
    assert_double_near(ratio_to(&rows, "lib-nn")->ratio, 10.0 / 8, 1e-6);
    for (size_t i = 0; i < rows.time_count; i++)
        if (strcmp(rows.times[i].kernel, "lib-nn") == 0)
            assert_double_near(rows.times[i].median, 10e-6, 1e-11);
    int controls = 0;
    for (size_t i = 0; i < rows.control_count; i++)
        controls += strcmp(rows.controls[i].control, "aa") == 0;
    assert_int_equal(controls, 1);
    rows_free(&rows);
}

/* At a stated launch, what a launch took in either process does not count: both kernels launch in as
 * long as the libraries, 5 and 10 us, and work for 3 and 4. */
TEST(a_change_is_stated_at_a_launch) {
    enum { ARMS = 3, HOSTS = 6, ALL = 7 };
    static float times[2][VISITS * BLOCKS * ALL];
    struct samples list[2];
    struct rows rows = {0};
    struct derive_about at = about;
    at.shape = (struct shape){64, 64, 64};
    at.launch_seconds = 20e-6;
    for (int which = 0; which < 2; which++) {
        const char *kernel = which ? RUNDIR_PREVIOUS : "mine";
        const double launch = which ? 10 : 5, work[ARMS] = {5, 15, which ? 4 : 3};
        list[which] = (struct samples){.mode = "offline",
                                       .lens = "call",
                                       .columns = {"lib-nn", "lib-tn", "", SAMPLES_HOST "lib-nn",
                                                   SAMPLES_HOST "lib-tn", "", SAMPLES_VISIT},
                                       .column_count = ALL,
                                       .blocks = VISITS * BLOCKS,
                                       .values = times[which],
                                       .calls = 1,
                                       .planted_seconds = NAN};
        strcpy(list[which].columns[2], kernel);
        snprintf(list[which].columns[5], RUNDIR_NAME, SAMPLES_HOST "%s", kernel);
        for (size_t b = 0; b < VISITS * BLOCKS; b++)
            for (int c = 0; c < ALL; c++)
                times[which][b * ALL + (size_t)c] =
                    c == HOSTS ? (float)(b / BLOCKS)
                               : (float)(1e-6 * (launch + (c < ARMS ? work[c] : 0)));
    }
    assert_int_equal(derive_unit(list, 2, &at, &rows), 0);
    const struct ratio_row *row = ratio_to(&rows, RUNDIR_PREVIOUS);
    assert_double_near(row->ratio, 24.0 / 23, 1e-6);
    assert_double_near(row->seconds, 23e-6, 1e-11);
    assert_double_near(row->launch_seconds, sqrt(5.0 * 10) * 1e-6, 1e-11);
    assert_double_near(row->launch_slope, 20.0 / 24 - 20.0 / 23, 1e-6);
    const double mine = sqrt(10.0 * 20) / 8, old = sqrt(15.0 * 25) / 14;
    assert_double_near(row->plain_ratio, mine / old, 1e-6);
    rows_free(&rows);
}

/* A visit counts that both have; a library that one process lacks does not. */
TEST(only_what_both_have_counts) {
    const double slow[VISITS] = {1, 1, 1};
    struct samples list[] = {process(0, "mine", 8, slow), process(1, RUNDIR_PREVIOUS, 9, slow)};
    list[1].blocks -= BLOCKS;
    strcpy(list[1].columns[1], "lib-xx");
    for (size_t b = 0; b < VISITS * BLOCKS; b++)
        values[1][b * COLUMNS + 1] = 5;
    struct rows rows = {0};
    assert_int_equal(derive_unit(list, 2, &about, &rows), 0);
    const struct ratio_row *row = ratio_to(&rows, RUNDIR_PREVIOUS);
    assert_true(row->visits == VISITS - 1);
    assert_double_near(row->ratio, 9.0 / 8, 1e-6);
    size_t visits = 0;
    for (size_t i = 0; i < rows.visit_count; i++)
        visits += strcmp(rows.visits[i].baseline, RUNDIR_PREVIOUS) == 0;
    assert_int_equal(visits, VISITS - 1);
    rows_free(&rows);
}

/* Nothing bounds the ratio where nothing bounds one of the two. */
TEST(a_change_is_bounded_where_both_are) {
    const double slow[VISITS] = {1, 1, 1};
    struct samples list[] = {process(0, "mine", 8, slow), process(1, RUNDIR_PREVIOUS, 9, slow)};
    struct rows rows = {0};
    list[1].place = PLACE_UNBOUNDED;
    assert_int_equal(derive_unit(list, 2, &about, &rows), 0);
    assert_string_equal(ratio_to(&rows, RUNDIR_PREVIOUS)->place, "unbounded");
    assert_string_equal(ratio_to(&rows, "lib-nn")->place, "own");
    rows_free(&rows);
}
