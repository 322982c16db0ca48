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
#include "reports/run/rundir.h"
#include "tests/support/asserts.h"

static char top[] = "/tmp/gemmgate-rundir-XXXXXX";
static char run[64];
static json_t *plan;

static int set_up(void **state) {
    (void)state;
    strcpy(top + strlen(top) - 6, "XXXXXX");
    if (!mkdtemp(top))
        return -1;
    snprintf(run, sizeof run, "%s/a/run", top);
    plan = json_pack("{s:i, s:[s,s], s:f, s:{s:s}}", "format", RUNDIR_FORMAT, "units", "u1", "u2",
                     "qps", 1000.0, "set", "name", "x");
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

__attribute__((unused)) static void write_text(const char *name, const char *text) {
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

/* Writes the file again with the first `from` replaced. */
__attribute__((unused)) static void replace(const char *name, const char *from, const char *to) {
    char text[65536];
    strcpy(text, read_text(name));
    char *at = strstr(text, from);
    assert_non_null(at);
    FILE *file = fopen(in_run(name), "w");
    assert_non_null(file);
    fprintf(file, "%.*s%s%s", (int)(at - text), text, to, at + strlen(from));
    assert_int_equal(fclose(file), 0);
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
                                    .ratio = 0.87,
                                    .speedup = NAN};
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
    struct rows rows = some_rows(m);
    assert_int_equal(rundir_write_unit(run, id, &rows, NULL, 0), 0);
    rows_free(&rows);
}

static bool same(double a, double b) {
    return (isnan(a) && isnan(b)) || a == b;
}

__attribute__((unused)) static void assert_control(const struct control_row *got,
                                                   const struct control_row *want) {
    assert_int_equal(shape_compare(got->shape, want->shape), 0);
    assert_string_equal(got->candidate, want->candidate);
    assert_string_equal(got->control, want->control);
    assert_string_equal(got->baseline, want->baseline);
    assert_string_equal(got->mode, want->mode);
    assert_string_equal(got->lens, want->lens);
    assert_true(same(got->planted, want->planted) && same(got->found, want->found));
    assert_string_equal(got->verdict, want->verdict);
    assert_string_equal(got->note, want->note);
}

__attribute__((unused)) static void assert_condition(const struct condition_row *got,
                                                     const struct condition_row *want) {
    assert_int_equal(shape_compare(got->shape, want->shape), 0);
    assert_string_equal(got->candidate, want->candidate);
    assert_string_equal(got->mode, want->mode);
    assert_string_equal(got->device, want->device);
    assert_string_equal(got->steady, want->steady);
    assert_string_equal(got->throttle, want->throttle);
    assert_true(same(got->processes, want->processes) && same(got->disturbed, want->disturbed));
    assert_string_equal(got->note, want->note);
}

__attribute__((unused)) static void assert_rows(const struct rows *got, size_t at, int64_t m) {
    struct rows want = some_rows(m);
    assert_true(got->visits[at].shape.m == m && same(got->visits[at].visit, 1) &&
                same(got->visits[at].ratio, 0.87) && isnan(got->visits[at].speedup));
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
                same(c->bound, d->bound) && same(c->paper_bound, d->paper_bound) &&
                same(c->coarse, d->coarse));
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
    assert_string_equal(t->cache, u->cache);
    assert_string_equal(t->place, u->place);
    assert_true(same(t->samples, u->samples) && same(t->visits, u->visits) &&
                same(t->mean, u->mean) && same(t->median, u->median) && same(t->sd, u->sd) &&
                same(t->p05, u->p05) && same(t->p95, u->p95) && same(t->tflops, u->tflops));
    assert_string_equal(t->note, u->note);
    assert_string_equal(r->baseline, s->baseline);
    assert_string_equal(r->mode, s->mode);
    assert_string_equal(r->lens, s->lens);
    assert_string_equal(r->cache, s->cache);
    assert_string_equal(r->place, s->place);
    assert_true(same(r->reward, s->reward) && same(r->speedup, s->speedup) &&
                same(r->ratio, s->ratio) && same(r->ci_low, s->ci_low) &&
                same(r->ci_high, s->ci_high) && same(r->samples, s->samples) &&
                same(r->visits, s->visits));
    assert_string_equal(r->verdict, s->verdict);
    for (size_t i = 0; i < 2; i++) {
        assert_control(&got->controls[2 * at + i], &want.controls[i]);
        assert_condition(&got->conditions[2 * at + i], &want.conditions[i]);
    }
    rows_free(&want);
}

#endif
