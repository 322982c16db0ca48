/* A store of one entry, n, whose digests are made anew, as whoever changes a file on purpose does. */
#include "reports/store/store.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "bench/base/error.h"
#include "bench/base/files.h"
#include "reports/store/history.h"
#include "tests/fuzz/fuzz.h"

enum { PLAN, MANIFEST, CHECKS, RATIOS, VISITS, PARTS };

/* 0 where plan and manifest are JSON. */
static int put_digests(const char *folder) {
    char path[PATH_MAX];
    snprintf(path, sizeof path, "%s/plan.json", folder);
    json_t *plan = json_load_file(path, 0, NULL);
    snprintf(path, sizeof path, "%s/manifest.json", folder);
    json_t *manifest = json_load_file(path, 0, NULL);
    const int status = json_is_object(plan) && json_is_object(manifest)
                           ? digests_write_manifest(folder, plan, manifest)
                           : -1;
    json_decref(plan);
    json_decref(manifest);
    return status;
}

static void read_speeds(struct rundir *run) {
    if (rundir_speeds(run) < 0)
        return;
    for (size_t i = 0; i < run->speeds.count; i++)
        fuzz_promise(!isinf(run->speeds.list[i].used.variance));
    fuzz_read += run->speeds.count > 0;
}

static void read_entry(const char *store, struct store_entry *entry) {
    struct fingerprint other = entry->run.fingerprint;
    other.values[0] = "another machine";
    char found[PATH_MAX], why[256];
    fuzz_promise(store_find(store, entry->name, NULL, found, why, sizeof why) == 1);
    fuzz_promise(strcmp(found, entry->run.folder) == 0);
    fuzz_promise(store_find(store, NULL, &entry->run.fingerprint, found, why, sizeof why) == 1);
    fuzz_promise(store_find(store, NULL, &other, found, why, sizeof why) == 0 && *why);
    const int shown = history_show(store, NULL, NULL, false);
    fuzz_promise(shown == EXIT_PASS || shown == EXIT_TROUBLE);
    read_speeds(&entry->run);
}

void fuzz_store(const uint8_t *data, size_t size) {
    static const char *const names[PARTS] = {"store/n/plan.json", "store/n/manifest.json",
                                             "store/n/checks.csv", "store/n/ratios.csv",
                                             "store/n/visits.csv"};
    const struct rows none = {0};
    struct fuzz_part parts[PARTS];
    struct store store;
    char folder[256], path[256];
    snprintf(folder, sizeof folder, "%s", fuzz_path("store"));
    snprintf(path, sizeof path, "%s", fuzz_path("store/n"));
    fuzz_split(data, size, parts, PARTS);
    fuzz_promise(files_make_folder(path) == 0 && rows_csv_write(path, ROWS_CSV_RUN, &none) == 0);
    fuzz_put_parts(names, parts, PARTS);
    put_digests(path);
    const int status = store_open(folder, &store);
    if (status == 0) {
        fuzz_promise(store.count == 1 && strcmp(store.list->name, "n") == 0);
        read_entry(folder, store.list);
    }
    store_close(&store);
    files_remove_tree(folder);
}
