#include "reports/run/opened.h"

#include <limits.h>
#include <stdlib.h>
#include <unistd.h>

#include "bench/base/error.h"
#include "bench/base/files.h"
#include "bench/base/need.h"
#include "reports/rows/rows_csv.h"

static int read_json(struct rundir *run) {
    char path[PATH_MAX];
    if (!(run->plan = rundir_read_json(run->folder, "plan.json")) ||
        files_join(path, run->folder, "manifest.json") < 0)
        return -1;
    return access(path, F_OK) < 0 ||
                   (run->manifest = rundir_read_json(run->folder, "manifest.json"))
               ? 0
               : -1;
}

int rundir_open(const char *folder, struct rundir *run) {
    *run = (struct rundir){.folder = folder};
    if (read_json(run) < 0 || about_take(folder, run->plan, run->manifest, &run->about) < 0)
        return -1;
    fingerprint_take(run->plan, run->manifest, &run->fingerprint);
    return 0;
}

struct rundir *rundir_open_all(const char *const *folders, size_t count) {
    struct rundir *runs = need(count, sizeof *runs);
    int status = 0;
    for (size_t i = 0; i < count && status == 0; i++)
        status = rundir_open(folders[i], &runs[i]);
    if (status == 0)
        return runs;
    rundir_close_all(runs, count);
    return NULL;
}

struct rundir *rundir_open_again(const char *run, const char *const *again, size_t *count) {
    for (*count = 1; again && again[*count - 1];)
        ++*count;
    const char **folders = need(*count, sizeof *folders);
    for (size_t i = 0; i < *count; i++)
        folders[i] = i > 0 ? again[i - 1] : run;
    struct rundir *runs = rundir_open_all(folders, *count);
    free(folders);
    return runs;
}

int rundir_begun(const struct rundir *run) {
    return run->manifest ? 0
                         : error("%s has no manifest.json: nothing of it was measured; go on with "
                                 "--resume",
                                 run->folder);
}

/* What is of another format cannot be read, and the file that lacks something does not say why. */
static int say_format(const struct rundir *run) {
    const json_t *format = json_object_get(run->plan, "format");
    if (json_is_integer(format) && json_integer_value(format) != RUNDIR_FORMAT)
        error("%s is of format %lld, and this version reads format %d: read it with the version "
              "that measured it, or measure again",
              run->folder, (long long)json_integer_value(format), RUNDIR_FORMAT);
    return -1;
}

int rundir_read(struct rundir *run) {
    if (!run->read) {
        const int status = run->about.complete
                               ? rows_csv_read(run->folder, &run->rows)
                               : rundir_read_units(run->folder, run->plan, false, &run->rows);
        if (status < 0)
            return say_format(run);
        run->read = true;
    }
    return 0;
}

int rundir_speeds(struct rundir *run) {
    return rundir_read(run) < 0 ? -1
                                : pairs_take(run->folder, &run->rows, PAIRS_COMPARED, &run->speeds);
}

int rundir_shown(struct rundir *run) {
    return rundir_read(run) < 0 ? -1
                                : pairs_take(run->folder, &run->rows, PAIRS_SHOWN, &run->shown);
}

void rundir_close(struct rundir *run) {
    json_decref(run->plan);
    json_decref(run->manifest);
    rows_free(&run->rows);
    pairs_free(&run->speeds);
    pairs_free(&run->shown);
    *run = (struct rundir){0};
}

void rundir_close_all(struct rundir *runs, size_t count) {
    for (size_t i = 0; runs && i < count; i++)
        rundir_close(&runs[i]);
    free(runs);
}
