/* For tests of the store: a finished run without a device, its samples made up. Include after
 * cmocka.h. */
#ifndef TESTS_SUPPORT_STORE_RUN_H
#define TESTS_SUPPORT_STORE_RUN_H

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "reports/rows/derive_values.h"
#include "reports/run/opened.h"
#include "tests/support/asserts.h"

/* What is special about a run; zero is a good one. */
struct store_run {
    int visits;          /* 0: 4 */
    double slower;       /* share that `mine` is slower than 0.8 of the library's time */
    unsigned seed;       /* of the visits' spread, 0.1 % */
    const char *gpu;     /* NULL: "H100" */
    const char *outcome; /* of mine; NULL: ok */
    bool unfinished;     /* manifest.json does not say complete */
    bool alone;          /* no library */
    bool no_candidate;   /* libraries only are timed */
    bool deaf;           /* the planted delay is not seen */
    bool uncontrolled;   /* there are no controls */
    bool unrecorded;     /* the kernel is, and has times by call alone */
    bool disturbed;      /* every other block of 64x64x64 */
    bool beside;         /* an earlier release of mine is an arm, as fast as mine with slower = 0 */
    bool wild;           /* in the second visit of 64x64x64 mine takes half as long again */
    bool shaken;         /* so it does, and the machine was disturbed in all of that visit */
    const char *card;    /* UUID of the GPU; NULL: the run does not say it */
    const char *gate;    /* the verdict of its gate; NULL: it was not gated */
    const char *kernels; /* the commit of its kernels; NULL: one that is 40 digits long */
};

/* Uniform in -1 .. 1. */
static double store_run_noise(unsigned *state) {
    *state = *state * 1664525u + 1013904223u;
    return (double)(*state >> 8) / (1 << 23) - 1;
}

static const struct shape store_run_shapes[] = {{64, 64, 64}, {128, 64, 32}};

static struct rows store_run_checks(struct shape shape, const struct store_run *made) {
    struct rows rows = {0};
    struct check_row check = {.shape = shape,
                              .candidate = "mine",
                              .kernel = "openblas-nn",
                              .outcome = "ok",
                              .claimed = "f32",
                              .share_compared = 1};
    rows_add_check(&rows, &check);
    if (made->beside) {
        strcpy(check.kernel, RUNDIR_PREVIOUS);
        rows_add_check(&rows, &check);
    }
    strcpy(check.kernel, "mine");
    strcpy(check.outcome, made->outcome ? made->outcome : made->unrecorded ? "unrecorded" : "ok");
    rows_add_check(&rows, &check);
    return rows;
}

/* Writes and frees it. */
static void store_run_write(const char *run, const char *id, const struct rundir_unit *unit) {
    struct rows rows = unit->rows;
    assert_int_equal(rundir_write_unit(run, id, unit), 0);
    rows_free(&rows);
    free(unit->samples->values);
}

static void store_run_unit(const char *run, const char *id, struct shape shape,
                           const struct store_run *made) {
    enum { BLOCKS = 24, MOST = 10 };
    struct samples samples = {.mode = "offline",
                              .place = made->unrecorded ? PLACE_OWN : PLACE_STAGE,
                              .blocks = (size_t)(made->visits ? made->visits : 4) * BLOCKS,
                              .calls = 1,
                              .planted_seconds = 2e-6};
    double us[MOST] = {0};
    strcpy(samples.lens, made->unrecorded ? "call" : "device");
    unsigned state = made->seed * 977u + (unsigned)shape.m;
#define COLUMN(name, value)                                                                        \
    (us[samples.column_count] = (value), strcpy(samples.columns[samples.column_count++], name))
    if (!made->alone) {
        COLUMN("openblas-nn", 10);
        COLUMN("openblas-tn", 11);
    }
    if (!made->alone && !made->uncontrolled) {
        COLUMN("aa:openblas-nn", 10);
        COLUMN("delay:openblas-nn", made->deaf ? 10 : 12);
        COLUMN("long-delay:openblas-nn", made->deaf ? 10 : 20);
    }
    if (!made->no_candidate)
        COLUMN("mine", 8 * (1 + made->slower));
    if (made->beside)
        COLUMN(RUNDIR_PREVIOUS, 8);
    const size_t arms = samples.column_count;
    COLUMN(SAMPLES_VISIT, 0);
    COLUMN(SAMPLES_SM_MHZ, 0);
    COLUMN(SAMPLES_DISTURBED, 0);
#undef COLUMN
    samples.values = calloc(samples.blocks * samples.column_count, sizeof *samples.values);
    assert_non_null(samples.values);
    double shift[MOST] = {0};
    for (size_t b = 0; b < samples.blocks; b++) {
        float *row = samples.values + b * samples.column_count;
        const bool first = b % BLOCKS == 0, second = shape.m == 64 && b / BLOCKS == 1;
        for (size_t c = 0; c < arms; c++) {
            /* Processes differ in the kernel under test, never in the controls. */
            if (first && strcmp(samples.columns[c], "mine") == 0)
                shift[c] =
                    1e-3 * store_run_noise(&state) + 0.5 * (second && (made->wild || made->shaken));
            row[c] = (float)(1e-6 * us[c] * (1 + shift[c] + 1e-4 * store_run_noise(&state)));
        }
        row[arms] = (float)(b / BLOCKS);
        row[arms + 1] = 1980;
        row[arms + 2] = (made->disturbed && shape.m == 64 && b % 2) || (made->shaken && second);
    }
    const struct rundir_unit unit = {
        .rows = store_run_checks(shape, made), .samples = &samples, .sample_count = 1};
    store_run_write(run, id, &unit);
}

static json_t *store_run_plan(const struct store_run *made) {
    const char *lens = made->unrecorded ? "call" : "device";
    json_t *plan = json_pack(
        "{s:s, s:s, s:s, s:s, s:s, s:f, s:f, s:i, s:s, s:i, s:s, s:f, s:f, s:[s,s], s:[s,s], "
        "s:[s], s:[s], s:[s]}",
        "device", "cuda:0", "set", "made-up", "accumulate", "f32", "protocol", "fast", "cache",
        "warm", "qps", 100.0, "launch_us", 10.0, "workspace_bytes", 33554432, "autotune",
        "finalists", "visits", made->visits ? made->visits : 4, "seed", "1", "alpha", 1.0, "beta",
        0.0, "shapes", "64x64x64", "128x64x32", "units", "64x64x64.mine", "128x64x32.mine", "modes",
        "offline", "lenses", lens, "precise_lenses", lens);
    assert_non_null(plan);
    if (made->beside)
        json_object_set_new(plan, "previous", json_pack("{s:s}", "set", "before"));
    return plan;
}

static json_t *store_run_manifest(const struct store_run *made) {
    char start[32];
    snprintf(start, sizeof start, "2026-03-01T10:%02u:%02uZ", made->seed / 60 % 60,
             made->seed % 60);
    json_t *manifest = json_pack(
        "{s:{s:s, s:i, s:I, s:f, s:n, s:b, s:{s:i, s:i, s:i}}, s:s, s:{s:i, s:i}, s:{s:s, s:i}, "
        "s:{s:s}, s:{s:{s:f, s:f, s:f, s:f}}, s:s, s:b}",
        "gpu", "name", made->gpu ? made->gpu : "H100", "sm", 90, "memory_bytes",
        (json_int_t)85899345920, "power_limit_w", 700.0, "mig", "ecc", 1, "clocks", "sm_mhz",
        1000 + (int)made->seed, "sm_max_mhz", 1980, "sm_application_mhz", 1980, "driver", "555.1",
        "cuda", "runtime", 12040, "cublas", 120400, "cpu", "model", "any", "cores_allowed",
        2 + (int)made->seed, "gemmgate", "git_commit", "0123456789abcdef0123456789abcdef01234567",
        "limits", "rates", "f16_flops", 1e15, "l2_bytes", 5e12, "dram_bytes", 3e12, "l2_size", 5e7,
        "start", start, "complete", !made->unfinished);
    assert_non_null(manifest);
    json_object_set_new(
        manifest, "kernels_commit",
        json_string(made->kernels ? made->kernels : "0123456789abcdef0123456789abcdef01234567"));
    if (made->card)
        json_object_set_new(manifest, "devices",
                            json_pack("[{s:s, s:s}]", "label", "H:cuda:0", "uuid", made->card));
    return manifest;
}

/* The run whose units are there, finished. */
static void store_run_finish(const char *run, const json_t *plan, const json_t *manifest) {
    struct rundir whole = {.folder = run, .plan = (json_t *)plan, .manifest = (json_t *)manifest};
    assert_int_equal(rundir_collect(&whole), 0);
    rows_free(&whole.rows);
    assert_int_equal(digests_write_manifest(run, plan, manifest), 0);
}

__attribute__((unused)) static void store_run_make(const char *run, const struct store_run *made) {
    json_t *plan = store_run_plan(made), *manifest = store_run_manifest(made);
    assert_int_equal(rundir_create(run, plan, 0), 0);
    for (int i = 0; i < 2; i++)
        store_run_unit(run, i ? "128x64x32.mine" : "64x64x64.mine", store_run_shapes[i], made);
    store_run_finish(run, plan, manifest);
    if (made->gate) {
        char folder[PATH_MAX];
        json_t *gate = json_pack("{s:s, s:s}", "verdict", made->gate, "reason", "made up");
        snprintf(folder, sizeof folder, "%s/gate", run);
        assert_int_equal(mkdir(folder, 0777), 0);
        assert_int_equal(jsonfile_write(folder, "gate.json", gate), 0);
        json_decref(gate);
    }
    json_decref(plan);
    json_decref(manifest);
}

#endif
