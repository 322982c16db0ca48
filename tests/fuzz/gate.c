/* A run whose rows are those of its samples, whatever these are: compared with itself, judged,
 * promoted, judged against the store, and merged with its copy. HASH stands for the hash of the
 * samples. With a part more the run is its own confirmation too. */
#include "reports/gate/gate.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "bench/base/error.h"
#include "bench/base/files.h"
#include "reports/gate/compare.h"
#include "reports/gate/output.h"
#include "reports/import/import.h"
#include "reports/query/query.h"
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
    fuzz_promise(rows_csv_write(run, ROWS_CSV_RUN, &none) == 0);
    fuzz_promise(rows_csv_write(fuzz_path("run/units/" UNIT), ROWS_CSV_UNIT, &none) == 0);
}

/* The rows of the samples, into the run's files. */
static int collect(const char *run) {
    struct rundir whole;
    const int status = rundir_open(run, &whole) < 0 ? -1 : rundir_collect(&whole);
    rundir_close(&whole);
    return status;
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
    if (gate_screen(&call, &suspects) == 0)
        gate_suspects_free(&suspects);
    gate_judge(&call, &gate);
    fuzz_promise(gate.verdict < GATE_VERDICT_COUNT && *gate.reason);
    fuzz_promise(
        query_one(gate.db, "SELECT count(*) = (SELECT count(*) FROM shown_rows) FROM gate_rows") ==
        1);
    fuzz_promise(gate.verdict != GATE_ERROR || gate_verdict_exit(gate.verdict) == 2);
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
    if (collect(run) == 0) {
        if (!parts[POLICY].data || gate_policy_read(fuzz_path(names[POLICY]), &policy) < 0)
            gate_policy_default(&policy);
        judge(run, NULL, &policy);
        judge(run, run, &policy);
        compare(run, &policy);
        promote(store, run, &policy);
        merge(run);
        gate_policy_free(&policy);
    }
    free(index);
}
