/* The run directory: no fault leaves half of anything, and spoilt files are refused. */

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "bench/base/files.h"
#include "reports/run/rundir.h"
#include "tests/support/read_run.h"
#include "tests/support/says.h"
#include "tests/support/test.h"
#include "tests/support/unit_rows.h"

static int write_under_limit(rlim_t limit, const char *id, const struct rows *rows,
                             const struct samples *samples) {
    const struct rundir_unit unit = {
        .rows = *rows, .samples = (struct samples *)samples, .sample_count = 1};
    const rlim_t before = scratch_limit(limit);
    int status = rundir_write_unit(run, id, &unit);
    scratch_limit(before);
    return status;
}

TEST_WITH(test_full_disk, set_up, tear_down) {
    static float seconds[100000];
    const struct samples samples = {.mode = "offline",
                                    .lens = "call",
                                    .columns = {"a", "b"},
                                    .column_count = 2,
                                    .blocks = 50000,
                                    .values = seconds,
                                    .calls = 1,
                                    .planted_seconds = NAN};
    struct rows rows = some_rows(20);
    write_unit(U1, 10);
    /* 100 stops in the first table, the others in the samples. */
    const rlim_t limits[] = {100, 1000, 4096, 65536, sizeof seconds - 1};
    for (size_t i = 0; i < sizeof limits / sizeof *limits; i++) {
        assert_int_equal(write_under_limit(limits[i], U2, &rows, &samples), -1);
        assert_int_equal(rundir_has_unit(run, U2), 0);
        assert_int_equal(entries("units"), 1);
    }
    assert_says(write_under_limit(4096, U2, &rows, &samples), -1,
                "offline.call.f32: cannot write: File too large");
    rows_free(&rows);
    assert_int_equal(read_rows(run, &rows), 0);
    assert_int_equal(rows.check_count, 1);
    assert_rows(&rows, 0, 10, ROWS_CSV_UNIT);
    assert_int_equal(write_under_limit(sizeof seconds, U2, &rows, &samples), 0);
    rows_free(&rows);
}

static int json_under_limit(const json_t *json) {
    const rlim_t before = scratch_limit(2000);
    int status = jsonfile_write(run, "manifest.json", json);
    scratch_limit(before);
    return status;
}

TEST_WITH(test_full_disk_keeps_the_old_file, set_up, tear_down) {
    char text[4000];
    memset(text, 'x', sizeof text - 1);
    text[sizeof text - 1] = 0;
    json_t *old = json_pack("{s:b}", "complete", 0), *new = json_pack("{s:s}", "long", text);
    assert_int_equal(jsonfile_write(run, "manifest.json", old), 0);
    assert_says(json_under_limit(new), -1, "manifest.json: cannot write: File too large");
    json_t *back = rundir_read_json(run, "manifest.json");
    assert_true(json_equal(back, old));
    assert_int_equal(entries("."), 3); /* plan.json, manifest.json, units */
    json_decref(back);
    json_decref(old);
    json_decref(new);
}

/* What a kill -9 in the middle of a unit leaves behind. */
TEST_WITH(test_left_over_part, set_up, tear_down) {
    struct rows rows = {0};
    assert_int_equal(mkdir(in_run("units/." U1 ".part"), 0777), 0);
    scratch_put("a/run/units/." U1 ".part/checks.csv", "m,n,k,cand");
    scratch_put("a/run/units/." U1 ".part/old.f32.part", "junk");
    scratch_put("a/run/manifest.json.part", "{");
    assert_int_equal(rundir_has_unit(run, U1), 0);
    assert_int_equal(read_rows(run, &rows), 0);
    assert_int_equal(rows.check_count, 0);
    rows_free(&rows);
    write_unit(U1, 10);
    assert_int_equal(entries("units"), 1);
    assert_int_equal(entries("units/" U1), 4);
    assert_int_equal(read_rows(run, &rows), 0);
    assert_int_equal(rows.check_count, 1);
    rows_free(&rows);
}

TEST_WITH(test_unit_refused, set_up, tear_down) {
    struct rundir_unit unit = {.rows = some_rows(10)};
    write_unit(U1, 10);
    assert_says(rundir_write_unit(run, U1, &unit), -1, "units/" U1 ": cannot rename");
    assert_says(rundir_write_unit(run, "../" U1, &unit), -1, "'../" U1 "' cannot name a unit");
    assert_says(rundir_write_unit(run, "a/b", &unit), -1, "'a/b' cannot name a unit");
    unit.rows.conditions[0].disturbed = INFINITY;
    assert_says(rundir_write_unit(run, U2, &unit), -1, "disturbed is infinite");
    assert_int_equal(entries("units"), 1);
    rundir_free_unit(&unit);
}

TEST_WITH(test_spoilt_unit, set_up, tear_down) {
    struct rundir_unit unit;
    struct rows rows;
    write_unit(U1, 10);
    assert_int_equal(unlink(in_run("units/" U1 "/conditions.csv")), 0);
    assert_says(rundir_read_unit(run, U1, &unit), -1, "units/" U1 "/conditions.csv: ");
    rundir_free_unit(&unit);
    assert_says(rundir_read_unit(run, "../" U1, &unit), -1, "'../" U1 "' cannot name a unit");
    scratch_put("a/run/units/" U1 "/checks.csv", "m,n\n");
    assert_says(read_rows(run, &rows), -1, "units/" U1 "/checks.csv:1: no column 'k'");
    replace("plan.json", "\"" U1 "\"", "7");
    assert_says(read_rows(run, &rows), -1, "plan.json: units[0] is no string");
    replace("plan.json", "{", "{,");
    assert_says(read_rows(run, &rows), -1, "plan.json:1: ");
}

/* The rows of some_rows(10) as the files of a run, of which one has the first `from` replaced. */
static int read_spoilt(const char *name, const char *from, const char *to) {
    struct rows rows = some_rows(10);
    assert_int_equal(rows_csv_write(run, ROWS_CSV_RUN, &rows), 0);
    rows_free(&rows);
    replace(name, from, to);
    const int status = rows_csv_read(run, ROWS_CSV_RUN, &rows);
    rows_free(&rows);
    return status;
}

static void assert_spoilt(const char *name, const char *from, const char *to, const char *words) {
    assert_says(read_spoilt(name, from, to), -1, words);
}

TEST_WITH(test_spoilt_files, set_up, tear_down) {
    const char ratios[] = "ratios.csv", checks[] = "checks.csv";
    assert_spoilt(ratios, "speedup", "speedip", "ratios.csv:1: no column 'speedup'");
    assert_spoilt(ratios, "-0.125", "nan", "ratios.csv:2: column speedup: 'nan' is no finite");
    assert_spoilt(ratios, "-0.125", "inf", "ratios.csv:2: column speedup: 'inf' is no finite");
    assert_spoilt(ratios, ",100,", ",inf,", "ratios.csv:2: column samples: 'inf' is no");
    assert_spoilt(ratios, "slower", "slow", "ratios.csv:2: column verdict: 'slow' is no verdict");
    assert_spoilt(ratios, "slower", "ok", "ratios.csv:2: column verdict: 'ok' is no verdict");
    assert_spoilt(ratios, ",slower,,\n", "", "ratios.csv:2: 29 fields where the header has 32");
    assert_spoilt(ratios, ",slower,,\n", ",slower,,", "ratios.csv:2: the last line has no end");
    assert_spoilt(ratios, "note\n", "note,more\n",
                  "ratios.csv:1: 33 columns where this version knows 32");
    assert_spoilt(ratios, ",slower,,\n",
                  ",slower,,\n10,2,3,cand,cublas-nn,server,call,cold,own,,,,,,,,,,,,,,,,,,,,,,,\n",
                  "ratios.csv:3: says again what line 2 says");
    assert_spoilt(ratios, "10,2,3", "0,2,3", "ratios.csv:2: column m: '0' is no size");
    assert_spoilt("times.csv", "kept\n",
                  "kept\n10,2,3,cand,cand,offline,stream,cold,own,,,,,,,,,,,,,,,,,,,,\n",
                  "times.csv:3: says again what line 2 says");
    assert_spoilt("times.csv", "stage", "here", "column place: 'here' is no place");
    assert_spoilt("times.csv", "stage", "", "column place: '' is no place");
    assert_spoilt("times.csv", ",cold,", ",freezing,", "cache: is longer than 7 bytes");
    assert_spoilt(checks, "inexact", "ok-ish", "checks.csv:3: column outcome: 'ok-ish' is no");
    assert_spoilt(checks, "f16", "bfloat16", "column claimed: is longer than 7 bytes");
    struct rows rows = {0};
    assert_int_equal(read_spoilt(ratios, "10,2,3", "10,2,3"), 0);
    char *head = scratch_read(in_run(ratios));
    strcpy(head + strcspn(head, "\n"), ",more\n");
    scratch_put("a/run/ratios.csv", "%s", head);
    assert_says(rows_csv_read(run, ROWS_CSV_RUN, &rows), -1,
                "ratios.csv:1: 33 columns where this version knows 32");
    rows_free(&rows);
}

/* A control is named by shape, candidate, control, mode and lens; conditions by shape, candidate
 * and mode. */
TEST_WITH(test_spoilt_controls, set_up, tear_down) {
    const char controls[] = "controls.csv", conditions[] = "conditions.csv";
    assert_spoilt(controls, ",ok,,\n", ",fine,,\n", "controls.csv:3: column verdict: 'fine' is no");
    assert_spoilt(controls, ",ok,,\n", ",,,\n", "controls.csv:3: column verdict: '' is no");
    assert_spoilt(controls, ",ok,,\n", ",faster,,\n", "column verdict: 'faster' is no");
    assert_spoilt(controls, "delay", "dela", "controls.csv:3: column control: 'dela' is no");
    assert_spoilt(controls, "2e-06", "inf", "controls.csv:3: column planted: 'inf' is no finite");
    assert_spoilt(controls, "delay,cublas-nn", "aa,cublas-tn",
                  "controls.csv:3: says again what line 2 says");
    assert_spoilt(conditions, "offline", "server", "conditions.csv:3: says again what line 2");
    assert_spoilt(conditions, "offline,cuda:0", "server,cuda:1", "says again what line 2");
    assert_spoilt(conditions, "0.125", "inf", "conditions.csv:2: column disturbed: 'inf' is no");
    const char *const others[][3] = {
        {controls, "10,2,3,cand,aa", "11,2,3,cand,delay"},
        {controls, "cand,aa", "other,delay"},
        {controls, "aa,cublas-tn,server", "delay,cublas-tn,offline"},
        {controls, "aa,cublas-tn,server,call", "delay,cublas-tn,server,device"},
        {conditions, "10,2,3,cand,server", "11,2,3,cand,offline"},
        {conditions, "cand,server", "other,offline"},
        {controls, ",ok,", ",missed,"},
        {"ratios.csv", ",slower,", ",environment,"},
    };
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        assert_int_equal(read_spoilt(others[i][0], others[i][1], others[i][2]), 0);
}

/* CRLF and a byte order mark, as a spreadsheet leaves them, change nothing. */
TEST_WITH(test_crlf, set_up, tear_down) {
    struct rows rows = some_rows(10);
    char text[65536];
    assert_int_equal(rows_csv_write(run, ROWS_CSV_RUN, &rows), 0);
    rows_free(&rows);
    strcpy(text, scratch_read(in_run("ratios.csv")));
    FILE *file = fopen(in_run("ratios.csv"), "w");
    fputs("\xef\xbb\xbf", file);
    for (const char *p = text; *p; p++)
        fputs(*p == '\n' ? "\r\n" : (char[]){*p, 0}, file);
    assert_int_equal(fclose(file), 0);
    assert_int_equal(rows_csv_read(run, ROWS_CSV_RUN, &rows), 0);
    assert_rows(&rows, 0, 10, ROWS_CSV_RUN);
    rows_free(&rows);
}
