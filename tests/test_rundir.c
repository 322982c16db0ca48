/* The run directory: what is written comes back, and no fault leaves half of anything. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <limits.h>
#include <math.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "reports/files.h"
#include "reports/rundir.h"
#include "tests/says.h"

static char top[] = "/tmp/gemmgate-rundir-XXXXXX";
static char run[64];
static json_t *plan;

static int set_up(void **state) {
    (void)state;
    strcpy(top + strlen(top) - 6, "XXXXXX");
    if (!mkdtemp(top))
        return -1;
    snprintf(run, sizeof run, "%s/a/run", top);
    plan = json_pack("{s:i, s:[s,s], s:f, s:{s:s}}", "format", 1, "units", "u1", "u2", "qps",
                     1000.0, "set", "name", "x");
    return plan ? rundir_create(run, plan, 0) : -1;
}

static int tear_down(void **state) {
    (void)state;
    json_decref(plan);
    files_remove_tree(top);
    return 0;
}

static const char *in_run(const char *name) {
    static char path[PATH_MAX];
    assert_int_equal(files_join(path, run, name), 0);
    return path;
}

static void write_text(const char *name, const char *text) {
    FILE *file = fopen(in_run(name), "w");
    assert_non_null(file);
    fputs(text, file);
    assert_int_equal(fclose(file), 0);
}

static char *read_text(const char *name) {
    static char text[65536];
    FILE *file = fopen(in_run(name), "r");
    assert_non_null(file);
    text[fread(text, 1, sizeof text - 1, file)] = 0;
    fclose(file);
    return text;
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
                            .lens = "call",
                            .n = 16384,
                            .rounds = 1,
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
                              .speedup = -0.125,
                              .reward = 0.5,
                              .ratio = 0.876543211,
                              .ci_low = 0.87,
                              .ci_high = 0.88,
                              .n = 100,
                              .rounds = 2,
                              .verdict = "slower",
                              .note = ""};
    assert_int_equal(rows_add_check(&rows, &check), 0);
    assert_int_equal(rows_add_time(&rows, &time), 0);
    assert_int_equal(rows_add_ratio(&rows, &ratio), 0);
    return rows;
}

static void write_unit(const char *id, int64_t m) {
    struct rows rows = some_rows(m);
    assert_int_equal(rundir_write_unit(run, id, &rows, NULL, 0), 0);
    rows_free(&rows);
}

static bool same(double a, double b) {
    return (isnan(a) && isnan(b)) || a == b;
}

static void assert_rows(const struct rows *got, size_t at, int64_t m) {
    struct rows want = some_rows(m);
    const struct check_row *c = &got->checks[at], *d = want.checks;
    const struct time_row *t = &got->times[at], *u = want.times;
    const struct ratio_row *r = &got->ratios[at], *s = want.ratios;
    assert_true(shape_compare(c->shape, d->shape) == 0 && shape_compare(t->shape, u->shape) == 0 &&
                shape_compare(r->shape, s->shape) == 0);
    assert_string_equal(c->candidate, d->candidate);
    assert_string_equal(c->kernel, d->kernel);
    assert_string_equal(c->outcome, d->outcome);
    assert_string_equal(c->detail, d->detail);
    assert_true(same(c->share_compared, d->share_compared) && same(c->deviation, d->deviation) &&
                same(c->bound, d->bound) && same(c->paper_bound, d->paper_bound));
    assert_string_equal(c->claimed, d->claimed);
    assert_string_equal(c->seen, d->seen);
    assert_true(same(c->padding_share, d->padding_share) &&
                same(c->setup_seconds, d->setup_seconds) &&
                same(c->first_call_seconds, d->first_call_seconds));
    assert_string_equal(c->variant, d->variant);
    assert_string_equal(c->source, d->source);
    assert_string_equal(c->source_hash, d->source_hash);
    assert_string_equal(c->note, d->note);
    assert_string_equal(t->kernel, u->kernel);
    assert_string_equal(t->mode, u->mode);
    assert_string_equal(t->lens, u->lens);
    assert_true(same(t->n, u->n) && same(t->rounds, u->rounds) && same(t->mean, u->mean) &&
                same(t->median, u->median) && same(t->sd, u->sd) && same(t->p05, u->p05) &&
                same(t->p95, u->p95) && same(t->tflops, u->tflops));
    assert_string_equal(t->note, u->note);
    assert_string_equal(r->baseline, s->baseline);
    assert_string_equal(r->mode, s->mode);
    assert_true(same(r->reward, s->reward) && same(r->speedup, s->speedup) &&
                same(r->ratio, s->ratio) && same(r->ci_low, s->ci_low) &&
                same(r->ci_high, s->ci_high) && same(r->n, s->n) && same(r->rounds, s->rounds));
    assert_string_equal(r->verdict, s->verdict);
    rows_free(&want);
}

/* Units come back in plan order, from the units while unfinished and from the files once complete.
 */
static void test_round_trip(void **state) {
    struct rows rows = {0};
    json_t *done = json_pack("{s:b}", "complete", 1);
    (void)state;
    write_unit("u2", 20);
    assert_int_equal(rundir_has_unit(run, "u1"), 0);
    assert_int_equal(rundir_has_unit(run, "u2"), 1);
    assert_int_equal(rundir_read(run, &rows), 0);
    assert_int_equal(rows.check_count, 1);
    rows_free(&rows);
    assert_says(rundir_collect(run), -1, "/units/u1: is missing");
    write_unit("u1", 10);
    assert_int_equal(rundir_collect(run), 0);
    assert_int_equal(rundir_write_json(run, "manifest.json", done), 0);
    files_remove_tree(in_run("units"));
    assert_int_equal(rundir_read(run, &rows), 0);
    assert_true(rows.check_count == 2 && rows.time_count == 2 && rows.ratio_count == 2);
    assert_rows(&rows, 0, 10);
    assert_rows(&rows, 1, 20);
    rows_free(&rows);
    json_decref(done);
    const char head[] =
        "m,n,k,candidate,baseline,mode,lens,speedup,ratio,ci_low,ci_high,samples,"
        "rounds,reward,verdict,note\n"
        "10,2,3,cand,cublas-nn,server,call,-0.125,0.876543211,0.87,0.88,100,2,0.5,slower,";
    assert_memory_equal(read_text("ratios.csv"), head, sizeof head - 1);
}

static void test_many_rows(void **state) {
    struct rows rows = {0};
    (void)state;
    for (int64_t m = 1; m <= 1000; m++) {
        struct check_row row = a_check(m);
        assert_int_equal(rows_add_check(&rows, &row), 0);
    }
    assert_int_equal(rows.check_count, 1000);
    for (int64_t m = 1; m <= 1000; m++)
        assert_int_equal(rows.checks[m - 1].shape.m, m);
    rows_free(&rows);
    assert_null(rows.checks);
}

static void test_samples(void **state) {
    const float seconds[6] = {1e-6f, 2e-6f, 3e-6f, 4e-6f, 5e-6f, 6e-6f};
    const struct samples samples = {"server", "call", seconds, 3, 2};
    float back[7];
    (void)state;
    struct rows rows = some_rows(1);
    assert_int_equal(rundir_write_unit(run, "u1", &rows, &samples, 1), 0);
    FILE *file = fopen(in_run("units/u1/server.call.f32"), "r");
    assert_non_null(file);
    assert_int_equal(fread(back, sizeof *back, 7, file), 6);
    fclose(file);
    assert_memory_equal(back, seconds, sizeof seconds);
    rows_free(&rows);
}

static int write_under_limit(rlim_t limit, const char *id, const struct rows *rows,
                             const struct samples *samples) {
    struct rlimit old, small;
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &old), 0);
    small = old;
    small.rlim_cur = limit;
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
    int status = rundir_write_unit(run, id, rows, samples, 1);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &old), 0);
    return status;
}

/* A limit on file sizes stands in for a full disk: write fails in the same place, with EFBIG. */
static void test_full_disk(void **state) {
    static float seconds[100000];
    const struct samples samples = {"offline", "call", seconds, 50000, 2};
    struct rows rows = some_rows(20);
    (void)state;
    assert_true(signal(SIGXFSZ, SIG_IGN) != SIG_ERR);
    write_unit("u1", 10);
    /* 100 stops in the first table, the others in the samples. */
    const rlim_t limits[] = {100, 500, 4096, 65536, sizeof seconds - 1};
    for (size_t i = 0; i < sizeof limits / sizeof *limits; i++) {
        assert_int_equal(write_under_limit(limits[i], "u2", &rows, &samples), -1);
        assert_int_equal(rundir_has_unit(run, "u2"), 0);
        assert_int_equal(entries("units"), 1);
    }
    assert_says(write_under_limit(4096, "u2", &rows, &samples), -1,
                "offline.call.f32: cannot write: File too large");
    rows_free(&rows);
    assert_int_equal(rundir_read(run, &rows), 0);
    assert_int_equal(rows.check_count, 1);
    assert_rows(&rows, 0, 10);
    assert_int_equal(write_under_limit(sizeof seconds, "u2", &rows, &samples), 0);
    rows_free(&rows);
}

static int json_under_limit(const json_t *json) {
    struct rlimit old, small;
    getrlimit(RLIMIT_FSIZE, &old);
    small = old;
    small.rlim_cur = 2000;
    setrlimit(RLIMIT_FSIZE, &small);
    int status = rundir_write_json(run, "manifest.json", json);
    setrlimit(RLIMIT_FSIZE, &old);
    return status;
}

static void test_full_disk_keeps_the_old_file(void **state) {
    char text[4000];
    (void)state;
    memset(text, 'x', sizeof text - 1);
    text[sizeof text - 1] = 0;
    json_t *old = json_pack("{s:b}", "complete", 0), *new = json_pack("{s:s}", "long", text);
    assert_true(signal(SIGXFSZ, SIG_IGN) != SIG_ERR);
    assert_int_equal(rundir_write_json(run, "manifest.json", old), 0);
    assert_says(json_under_limit(new), -1, "manifest.json: cannot write: File too large");
    json_t *back = rundir_read_json(run, "manifest.json");
    assert_true(json_equal(back, old));
    assert_int_equal(entries("."), 3); /* plan.json, manifest.json, units */
    json_decref(back);
    json_decref(old);
    json_decref(new);
}

/* What a kill -9 in the middle of a unit leaves behind. */
static void test_left_over_part(void **state) {
    struct rows rows = {0};
    (void)state;
    assert_int_equal(mkdir(in_run("units/.u1.part"), 0777), 0);
    write_text("units/.u1.part/checks.csv", "m,n,k,cand");
    write_text("units/.u1.part/old.f32.part", "junk");
    write_text("manifest.json.part", "{");
    assert_int_equal(rundir_has_unit(run, "u1"), 0);
    assert_int_equal(rundir_read(run, &rows), 0);
    assert_int_equal(rows.check_count, 0);
    write_unit("u1", 10);
    assert_int_equal(entries("units"), 1);
    assert_int_equal(entries("units/u1"), 3);
    assert_int_equal(rundir_read(run, &rows), 0);
    assert_int_equal(rows.check_count, 1);
    rows_free(&rows);
}

static void test_unit_refused(void **state) {
    struct rows rows = some_rows(10);
    (void)state;
    write_unit("u1", 10);
    assert_says(rundir_write_unit(run, "u1", &rows, NULL, 0), -1, "units/u1: cannot rename");
    assert_says(rundir_write_unit(run, "../u1", &rows, NULL, 0), -1, "'../u1' cannot name a unit");
    assert_says(rundir_write_unit(run, "a/b", &rows, NULL, 0), -1, "'a/b' cannot name a unit");
    rows.ratios[0].speedup = INFINITY;
    assert_says(rundir_write_unit(run, "u2", &rows, NULL, 0), -1, "speedup is infinite");
    assert_int_equal(entries("units"), 1);
    rows_free(&rows);
}

/* Writes the unit's file again with the first `from` replaced, and wants `words`. */
static void assert_spoilt(const char *name, const char *from, const char *to, const char *words) {
    char text[65536];
    struct rows rows = {0};
    files_remove_tree(in_run("units/u1"));
    write_unit("u1", 10);
    strcpy(text, read_text(name));
    char *at = strstr(text, from);
    assert_non_null(at);
    FILE *file = fopen(in_run(name), "w");
    fprintf(file, "%.*s%s%s", (int)(at - text), text, to, at + strlen(from));
    assert_int_equal(fclose(file), 0);
    assert_says(rundir_read(run, &rows), -1, words);
    assert_null(rows.checks);
}

static void test_spoilt_files(void **state) {
    const char ratios[] = "units/u1/ratios.csv", checks[] = "units/u1/checks.csv";
    (void)state;
    assert_spoilt(ratios, "speedup", "speedip", "units/u1/ratios.csv:1: no column 'speedup'");
    assert_spoilt(ratios, "-0.125", "nan", "ratios.csv:2: column speedup: 'nan' is no finite");
    assert_spoilt(ratios, "-0.125", "inf", "ratios.csv:2: column speedup: 'inf' is no finite");
    assert_spoilt(ratios, "slower", "slow", "ratios.csv:2: column verdict: 'slow' is no verdict");
    assert_spoilt(ratios, ",slower,\n", "", "ratios.csv:2: 14 fields where the header has 16");
    assert_spoilt(ratios, ",slower,\n", ",slower,", "ratios.csv:2: the last line has no end");
    assert_spoilt(ratios, "note\n", "note,more\n", "ratios.csv:2: 16 fields");
    assert_spoilt(ratios, ",slower,\n", ",slower,\n10,2,3,cand,cublas-nn,server,call,,,,,,,,,\n",
                  "ratios.csv:3: says again what line 2 says");
    assert_spoilt(ratios, "10,2,3", "0,2,3", "ratios.csv:2: column m: '0' is no size");
    assert_spoilt(checks, "inexact", "ok-ish", "checks.csv:3: column outcome: 'ok-ish' is no");
    assert_spoilt(checks, "f16", "bfloat16", "column claimed: is longer than 7 bytes");
    struct rows rows = {0};
    files_remove_tree(in_run("units/u1"));
    write_unit("u1", 10);
    write_text(ratios,
               "m,n,k,candidate,baseline,mode,lens,speedup,ratio,ci_low,ci_high,samples,rounds,"
               "reward,verdict,note,more\n");
    assert_says(rundir_read(run, &rows), -1,
                "ratios.csv:1: 17 columns where this version knows 16");
    assert_spoilt("plan.json", "{", "{,", "plan.json:1: ");
    assert_spoilt("plan.json", "\"u1\"", "7", "plan.json");
}

/* CRLF and a byte order mark, as a spreadsheet leaves them, change nothing. */
static void test_crlf(void **state) {
    struct rows rows = {0};
    char text[65536];
    (void)state;
    write_unit("u1", 10);
    strcpy(text, read_text("units/u1/ratios.csv"));
    FILE *file = fopen(in_run("units/u1/ratios.csv"), "w");
    fputs("\xef\xbb\xbf", file);
    for (const char *p = text; *p; p++)
        fputs(*p == '\n' ? "\r\n" : (char[]){*p, 0}, file);
    assert_int_equal(fclose(file), 0);
    assert_int_equal(rundir_read(run, &rows), 0);
    assert_rows(&rows, 0, 10);
    rows_free(&rows);
}

static void test_create(void **state) {
    char other[PATH_MAX];
    (void)state;
    assert_says(rundir_create(run, plan, 0), -1, "exists; choose another name");
    assert_int_equal(rundir_create(run, plan, 1), 0);
    snprintf(other, sizeof other, "%s/empty/", top);
    assert_int_equal(mkdir(other, 0777), 0);
    assert_int_equal(rundir_create(other, plan, 0), 0);
    snprintf(other, sizeof other, "%s/foreign", top);
    assert_int_equal(mkdir(other, 0777), 0);
    snprintf(other, sizeof other, "%s/foreign/x", top);
    assert_int_equal(mkdir(other, 0777), 0);
    snprintf(other, sizeof other, "%s/foreign", top);
    assert_says(rundir_create(other, plan, 0), -1, "foreign exists");
    assert_says(rundir_create(other, plan, 1), -1, "plan.json: cannot read");
    assert_says(rundir_create(in_run("plan.json"), plan, 0), -1, "plan.json exists");
    struct rows rows = {0};
    assert_says(rundir_read(other, &rows), -1, "a run directory?");
    snprintf(run, sizeof run, "%s", top);
    assert_int_equal(entries("."), 3); /* a, empty, foreign: no temporary is left */
}

/* Resumes with one member of the plan changed. */
static void assert_other_plan(const char *key, json_t *value, const char *words) {
    json_t *other = json_deep_copy(plan);
    assert_int_equal(value ? json_object_set_new(other, key, value) : json_object_del(other, key),
                     0);
    assert_says(rundir_create(run, other, 1), -1, words);
    json_decref(other);
}

static void test_other_plan(void **state) {
    (void)state;
    assert_other_plan("qps", json_real(500), "qps was 1000.0 and is now 500.0");
    assert_other_plan("qps", NULL, "qps was 1000.0 and is now absent");
    assert_other_plan("new", json_true(), "new was absent and is now true");
    assert_other_plan("units", json_pack("[s,s]", "u1", "u3"),
                      "units[1] was \"u2\" and is now \"u3\"");
    assert_other_plan("units", json_pack("[s]", "u1"), "units[1] was \"u2\" and is now absent");
    assert_other_plan("set", json_pack("{s:s}", "name", "y"),
                      "set.name was \"x\" and is now \"y\"");
}

/* The value is xxhsum's -H128 of {"a":[1,2.5],"b":"x"}. */
static void test_plan_hash(void **state) {
    char hex[33];
    (void)state;
    json_t *one = json_pack("{s:s, s:[i,f]}", "b", "x", "a", 1, 2.5);
    json_t *two = json_pack("{s:[i,f], s:s}", "a", 1, 2.5, "b", "x");
    assert_int_equal(rundir_plan_hash(one, hex), 0);
    assert_string_equal(hex, "5cc14261d18c41d6f2c01d027208f040");
    assert_int_equal(rundir_plan_hash(two, hex), 0);
    assert_string_equal(hex, "5cc14261d18c41d6f2c01d027208f040");
    json_decref(one);
    json_decref(two);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_round_trip, set_up, tear_down),
        cmocka_unit_test(test_many_rows),
        cmocka_unit_test_setup_teardown(test_samples, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_full_disk, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_full_disk_keeps_the_old_file, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_left_over_part, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_unit_refused, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_spoilt_files, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_crlf, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_create, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_other_plan, set_up, tear_down),
        cmocka_unit_test(test_plan_hash),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
