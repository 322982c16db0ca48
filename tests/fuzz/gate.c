/* A run whose rows are those of its samples, whatever these are: compared with itself, judged,
 * promoted, judged against the store, and merged with its copy. HASH stands for the hash of the
 * samples. With a part more the run is its own confirmation too. */
#include "reports/gate/gate.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "bench/base/error.h"
#include "bench/base/files.h"
#include "reports/gate/compare.h"
#include "reports/gate/output.h"
#include "reports/rows/derive.h"
#include "reports/rows/rows_csv.h"
#include "reports/run/merge.h"
#include "reports/run/verify.h"
#include "reports/store/store.h"
#include "tests/fuzz/fuzz.h"
#include "tests/fuzz/hash.h"
#include "tests/support/read_run.h"

#define UNIT "16x16x16.mine"

enum { PLAN, MANIFEST, CHECKS, SAMPLES, VALUES, POLICY, FILES, CONFIRM = FILES, PARTS };

/* A run and its unit without rows. */
static void make_folders(const char *run) {
    struct rows none = {0};
    fuzz_promise(files_make_folder(fuzz_path("run/units/" UNIT)) == 0);
    fuzz_promise(rows_csv_write(run, &none) == 0);
    fuzz_promise(rows_csv_write(fuzz_path("run/units/" UNIT), &none) == 0);
}

static int take_plan(const char *run, struct derive_about *about, char cache[8]) {
    json_t *plan = rundir_read_json(run, "plan.json");
    json_t *manifest = rundir_read_json(run, "manifest.json");
    struct light_rates rates;
    const char *text;
    int status = -1;
    if (plan && manifest && derive_rates(manifest, "", &rates) == 0 &&
        json_unpack(plan, "{s:s, s:F, s:F, s:F}", "cache", &text, "alpha", &about->alpha, "beta",
                    &about->beta, "launch_us", &about->launch_seconds) == 0 &&
        strlen(text) < 8) {
        strcpy(cache, text);
        about->cache = cache;
        about->launch_seconds *= 1e-6;
        about->light_seconds =
            light_seconds(about->shape.m, about->shape.n, about->shape.k, &rates);
        status = 0;
    }
    json_decref(plan);
    json_decref(manifest);
    return status;
}

/* The rows of the samples, into the unit's files and the run's. */
static int derive(const char *run, struct rows *rows) {
    struct samples *samples = NULL;
    char cache[8];
    size_t count = 0;
    int status = -1;
    if (rundir_read_unit(run, UNIT, rows) == 0 && rows->check_count > 0 &&
        rundir_read_samples(run, UNIT, &samples, &count) == 0) {
        struct derive_about about = {.shape = rows->checks[0].shape,
                                     .candidate = rows->checks[0].candidate,
                                     .deviation = NAN,
                                     .code_length = NAN};
        status = take_plan(run, &about, cache);
        for (size_t i = 0; i < rows->check_count; i++)
            if (strcmp(rows->checks[i].kernel, about.candidate) == 0) {
                about.deviation = rows->checks[i].deviation;
                about.code_length = rows->checks[i].code_length;
            }
        for (size_t i = 0; i < count && status == 0; i++)
            status = derive_unit(&samples[i], 1, &about, rows);
    }
    samples_free(samples, count);
    if (status < 0 || rows_csv_write(fuzz_path("run/units/" UNIT), rows) < 0)
        return -1;
    rows_free(rows); /* as files have it, to twelve digits */
    if (rundir_read_unit(run, UNIT, rows) < 0)
        return -1;
    return rows_csv_write(run, rows);
}

static void promise_json(const char *folder, const char *name) {
    json_t *json = rundir_read_json(fuzz_path(folder), name);
    fuzz_promise(json);
    json_decref(json);
}

static void judge(const char *run, const char *against, const struct gate_policy *policy) {
    const struct gate_call call = {.run = run, .against = against, .policy = policy};
    struct gate_suspects suspects;
    struct gate gate;
    size_t rows = 0;
    if (gate_screen(&call, &suspects) == 0)
        gate_suspects_free(&suspects);
    gate_judge(&call, &gate);
    fuzz_promise(gate.verdict < GATE_VERDICT_COUNT && *gate.reason);
    fuzz_promise(gate.verdict != GATE_ERROR || gate_verdict_exit(gate.verdict) == 2);
    for (int status = 0; status < GATE_STATUS_COUNT; status++)
        rows += gate.statuses[status];
    fuzz_promise(rows == gate.count && gate.warning_count <= GATE_WARNINGS);
    fuzz_promise(output_write(&gate, false) == 0);
    promise_json("run/gate", "gate.json");
    gate_free(&gate);
}

/* With itself: no kernel of it is faster or slower. */
static void compare(const char *run, const struct gate_policy *policy) {
    const struct compare_call call = {
        .run = run, .old = run, .policy = policy, .folder = fuzz_path("compared")};
    if (compare_make(&call) == EXIT_PASS)
        fuzz_promise(access(fuzz_path("compared/compare.csv"), R_OK) == 0);
    files_remove_tree(fuzz_path("compared"));
}

static void promote(const char *store, const char *run, const struct gate_policy *policy) {
    struct store_entry entry;
    if (store_promote(store, run, NULL, "it is made up", "2026-11-21T00:00:00Z", &entry) == 0) {
        fuzz_promise(verify_speeds(&entry.run) == 0 && entry.run.speeds.count > 0);
        store_entry_close(&entry);
        fuzz_read++;
        judge(run, store, policy);
    }
    files_remove_tree(store);
}

/* With its copy: they are one. */
static void merge(const char *run) {
    const char *const shards[] = {run, run};
    struct verify_counts counts;
    char merged[256];
    snprintf(merged, sizeof merged, "%s", fuzz_path("merged"));
    const int status = merge_runs(shards, 2, merged);
    fuzz_promise(status == EXIT_PASS || status == EXIT_TROUBLE || status == EXIT_INCONCLUSIVE);
    if (status == EXIT_PASS)
        fuzz_promise(read_counts(merged, &counts) == 0 && counts.differences == 0);
    files_remove_tree(merged);
}

void fuzz_gate(const uint8_t *data, size_t size) {
    static const char *const names[FILES] = {"run/plan.json",
                                             "run/manifest.json",
                                             "run/units/" UNIT "/checks.csv",
                                             "run/units/" UNIT "/samples.json",
                                             "run/units/" UNIT "/offline.call.f32",
                                             "policy.ini"};
    struct fuzz_part parts[PARTS];
    struct gate_policy policy;
    struct rows rows = {0};
    char run[256], store[256];
    snprintf(run, sizeof run, "%s", fuzz_path("run"));
    snprintf(store, sizeof store, "%s", fuzz_path("store"));
    make_folders(run);
    fuzz_split(data, size, parts, PARTS);
    uint8_t *index = hash_put_of(&parts[SAMPLES], &parts[VALUES]);
    fuzz_put_parts(names, parts, FILES);
    unlink(fuzz_path("run/confirm"));
    if (parts[CONFIRM].data)
        (void)!symlink(".", fuzz_path("run/confirm"));
    if (derive(run, &rows) == 0) {
        if (!parts[POLICY].data || gate_policy_read(fuzz_path(names[POLICY]), &policy) < 0)
            gate_policy_default(&policy);
        judge(run, NULL, &policy);
        judge(run, run, &policy);
        compare(run, &policy);
        promote(store, run, &policy);
        merge(run);
        gate_policy_free(&policy);
    }
    rows_free(&rows);
    free(index);
}
