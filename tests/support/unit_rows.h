/* For tests of the run directory: rows of a made-up unit, and files of a run. Include after
 * cmocka.h. */
#ifndef TESTS_SUPPORT_UNIT_ROWS_H
#define TESTS_SUPPORT_UNIT_ROWS_H

#include <limits.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/base/files.h"
#include "reports/rows/rows.h"
#include "reports/run/rundir.h"
#include "tests/support/doubles.h"
#include "tests/support/scratch.h"

/* The units of the plan: those of some_rows(10) and some_rows(20). */
#define U1 "10x2x3.cand"
#define U2 "20x2x3.cand"

static char run[80];
static json_t *plan;

static int set_up(void **state) {
    plan = json_pack("{s:i, s:[s,s], s:f, s:{s:s}}", "format", RUNDIR_FORMAT, "units", U1, U2,
                     "qps", 1000.0, "set", "name", "x");
    if (!plan || scratch_make(state) < 0)
        return -1;
    snprintf(run, sizeof run, "%s/a/run", scratch);
    return rundir_create(run, plan, 0);
}

static int tear_down(void **state) {
    json_decref(plan);
    return scratch_remove(state);
}

static const char *in_run(const char *name) {
    static char path[PATH_MAX];
    assert_int_equal(files_join(path, run, name), 0);
    return path;
}

/* Writes the file again with the first `from` replaced. */
__attribute__((unused)) static void replace(const char *name, const char *from, const char *to) {
    char text[65536];
    strcpy(text, scratch_read(in_run(name)));
    char *at = strstr(text, from);
    assert_non_null(at);
    scratch_put(in_run(name) + strlen(scratch) + 1, "%.*s%s%s", (int)(at - text), text, to,
                at + strlen(from));
}

/* How many entries the folder has. */
static int entries(const char *name) {
    char command[PATH_MAX + 16];
    int count = -1;
    snprintf(command, sizeof command, "ls -A %s | wc -l", in_run(name));
    FILE *pipe = popen(command, "r");
    assert_non_null(pipe);
    assert_int_equal(fscanf(pipe, "%d", &count), 1);
    pclose(pipe);
    return count;
}

static struct check_row a_check(int64_t m) {
    return (struct check_row){.shape = {m, 2, 3},
                              .candidate = "cand",
                              .kernel = "cublas-nn",
                              .outcome = "inexact",
                              .detail = "C[0][1]: 4, \"exact\" 5\nsecond line",
                              .share_compared = 0.995,
                              .deviation = INFINITY,
                              .bound = NAN,
                              .paper_bound = 1e-3,
                              .coarse = 0.003,
                              .claimed = "f16",
                              .seen = "",
                              .padding_share = 0.016,
                              .setup_seconds = 1.25,
                              .first_call_seconds = 5e-6,
                              .variant = "algo 7, tile 128x64",
                              .source = "a b.cu",
                              .source_hash = "0123456789abcdef0123456789abcdef",
                              .note = "n"};
}

static struct rows some_rows(int64_t m) {
    struct rows rows = {0};
    struct check_row check = a_check(m);
    struct time_row time = {.shape = {m, 2, 3},
                            .candidate = "cand",
                            .kernel = "cand",
                            .mode = "offline",
                            .lens = "stream",
                            .cache = "cold",
                            .place = "stage",
                            .samples = 16384,
                            .visits = 1,
                            .mean = 1.23456789e-5,
                            .median = 1.2e-5,
                            .sd = NAN,
                            .p05 = 1e-5,
                            .p95 = 2e-5,
                            .tflops = 0.5,
                            .note = "every 2nd kept"};
    struct ratio_row ratio = {.shape = {m, 2, 3},
                              .candidate = "cand",
                              .baseline = "cublas-nn",
                              .mode = "server",
                              .lens = "call",
                              .cache = "warm",
                              .place = "unbounded",
                              .speedup = -0.125,
                              .seconds = NAN,
                              .baseline_seconds = NAN,
                              .plain_ratio = NAN,
                              .launch_seconds = NAN,
                              .launch_slope = NAN,
                              .disturbed = NAN,
                              .timed_visits = 12,
                              .left_out = 3,
                              .reward = 0.5,
                              .ratio = 0.876543211,
                              .ci_low = 0.87,
                              .ci_high = 0.88,
                              .samples = 100,
                              .visits = 2,
                              .visit_sd = NAN,
                              .block_error = NAN,
                              .clock_step = NAN,
                              .variance = NAN,
                              .freedom = NAN,
                              .verdict = "slower",
                              .note = ""};
    const struct visit_row visit = {.shape = {m, 2, 3},
                                    .candidate = "cand",
                                    .baseline = "cublas-nn",
                                    .mode = "server",
                                    .lens = "call",
                                    .visit = 1,
                                    .ratio = 0.87};
    struct control_row aa = {.shape = {m, 2, 3},
                             .candidate = "cand",
                             .control = "aa",
                             .baseline = "cublas-tn",
                             .mode = "server",
                             .lens = "call",
                             .planted = NAN,
                             .found = NAN,
                             .verdict = "off",
                             .note = "1 is not in it"};
    struct control_row delay = {.shape = {m, 2, 3},
                                .candidate = "cand",
                                .control = "delay",
                                .baseline = "cublas-nn",
                                .mode = "server",
                                .lens = "call",
                                .planted = 2e-6,
                                .found = 1.9e-6,
                                .verdict = "ok"};
    struct condition_row server = {.shape = {m, 2, 3},
                                   .candidate = "cand",
                                   .mode = "server",
                                   .device = "cuda:0",
                                   .steady = "unknown",
                                   .throttle = "power cap, thermal",
                                   .processes = NAN,
                                   .disturbed = 0.125,
                                   .note = "x"};
    struct condition_row offline = server;
    strcpy(offline.mode, "offline");
    strcpy(offline.throttle, "");
    rows_add_check(&rows, &check);
    rows_add_time(&rows, &time);
    rows_add_ratio(&rows, &ratio);
    rows_add_visit(&rows, &visit);
    rows_add_control(&rows, &aa);
    rows_add_control(&rows, &delay);
    rows_add_condition(&rows, &server);
    rows_add_condition(&rows, &offline);
    return rows;
}

__attribute__((unused)) static void write_unit(const char *id, int64_t m) {
    struct rundir_unit unit = {.rows = some_rows(m)};
    assert_int_equal(rundir_write_unit(run, id, &unit), 0);
    rows_free(&unit.rows);
}

__attribute__((unused)) static void assert_same(double is, double should) {
    if (isnan(should))
        assert_nan(is);
    else
        assert_double_near(is, should, 0);
}

/* That these rows have those of some_rows(m) at that place of the plan, in every column; of units
 * those that are measured. */
__attribute__((unused)) static void assert_rows(const struct rows *got, size_t at, int64_t m,
                                                enum rows_csv_folder of) {
    struct rows want = some_rows(m);
    for (int kind = 0; kind < ROWS_KINDS; kind++) {
        if (of == ROWS_CSV_UNIT && rows_is_derived((enum rows_kind)kind))
            continue;
        const struct rows_file *file = &rows_files[kind];
        size_t all, count;
        const char *is = rows_of(got, (enum rows_kind)kind, &all);
        const char *should = rows_of(&want, (enum rows_kind)kind, &count);
        assert_true((at + 1) * count <= all);
        is = count ? is + at * count * file->row_size : is;
        for (size_t i = 0; i < count * file->column_count; i++) {
            const struct rows_column *column = &file->columns[i % file->column_count];
            const size_t row = i / file->column_count * file->row_size;
            if (column->form == ROWS_TEXT)
                assert_string_equal(rows_text(column, is + row), rows_text(column, should + row));
            else
                assert_same(rows_number(column, is + row), rows_number(column, should + row));
        }
    }
    rows_free(&want);
}

#endif
