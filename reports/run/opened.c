#include "reports/run/opened.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bench/base/error.h"
#include "bench/base/files.h"
#include "bench/base/need.h"
#include "reports/rows/rows_csv.h"
#include "reports/run/digests.h"

static int read_json(struct rundir *run) {
    char path[PATH_MAX];
    bool there;
    if (!(run->plan = rundir_read_json(run->folder, "plan.json")) ||
        files_join(path, run->folder, "manifest.json") < 0 || files_exists(path, &there) < 0)
        return -1;
    return !there || (run->manifest = rundir_read_json(run->folder, "manifest.json")) ? 0 : -1;
}

static int refuse_format(const struct rundir *run) {
    const json_t *format = json_object_get(run->plan, "format");
    if (!json_is_integer(format) || json_integer_value(format) == RUNDIR_FORMAT)
        return 0;
    return error("%s is of format %lld, and this version reads format %d: read it with the version "
                 "that measured it, or measure again",
                 run->folder, (long long)json_integer_value(format), RUNDIR_FORMAT);
}

int rundir_open(const char *folder, struct rundir *run) {
    *run = (struct rundir){.folder = folder};
    if (read_json(run) < 0 || refuse_format(run) < 0 ||
        about_take(folder, run->plan, run->manifest, &run->about) < 0)
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

bool rundir_is_promoted(const struct rundir *run) {
    return json_object_get(run->manifest, RUNDIR_PROMOTED) != NULL;
}

int rundir_begun(const struct rundir *run) {
    return run->manifest ? 0
                         : error("%s has no manifest.json: nothing of it was measured; go on with "
                                 "--resume",
                                 run->folder);
}

int rundir_about_unit(const struct rundir *run, const struct rows *rows,
                      struct derive_about *about) {
    const struct check_row *first = rows->checks;
    *about = (struct derive_about){
        .shape = first->shape, .candidate = first->candidate, .deviation = NAN, .code_length = NAN};
    double launch_us;
    if (json_unpack(run->plan, "{s:s, s:F, s:F, s:F}", "cache", &about->cache, "alpha",
                    &about->alpha, "beta", &about->beta, "launch_us", &launch_us) < 0)
        return error("%s/plan.json has no cache, alpha, beta and launch_us: it is of another "
                     "version",
                     run->folder);
    about->launch_seconds = 1e-6 * launch_us;
    struct light_rates rates;
    if (derive_rates(run->manifest, first->device, &rates) < 0)
        return -1;
    about->device = first->device;
    about->light_seconds = light_seconds(first->shape.m, first->shape.n, first->shape.k, &rates);
    for (size_t i = 0; i < rows->check_count; i++)
        if (strcmp(rows->checks[i].kernel, about->candidate) == 0) {
            about->deviation = rows->checks[i].deviation;
            about->code_length = rows->checks[i].code_length;
        }
    return 0;
}

/* The rows that follow from the samples are added to those of a unit that is not whole. */
static int derive_begun(const struct rundir *run, const char *id, const struct samples *samples,
                        size_t count, struct rows *begun) {
    struct derive_about about;
    if (begun->check_count == 0)
        return error("%s/units/.%s.visits: checks.csv holds no row", run->folder, id);
    if (rundir_about_unit(run, begun, &about) < 0)
        return -1;
    begun->time_count = begun->ratio_count = begun->visit_count = begun->control_count = 0;
    return derive_unit(samples, count, &about, begun);
}

/* Adds the rows of the unit's visits so far. One visit gives none: it shows no scatter. */
static int read_begun(struct rundir *run, const char *id) {
    struct rows begun = {0};
    struct samples *samples;
    size_t count;
    json_t *state;
    int status = rundir_read_visits(run->folder, id, &begun, &samples, &count, &state);
    if (status == 0 && json_integer_value(json_object_get(state, "visit")) > 1) {
        status = derive_begun(run, id, samples, count, &begun);
        if (status == 0)
            rows_append(&run->rows, &begun);
    }
    json_decref(state);
    samples_free(samples, count);
    rows_free(&begun);
    return status;
}

/* The rows of an unfinished run. */
static int read_units(struct rundir *run, bool so_far) {
    json_t *others = json_array(), *id;
    size_t i;
    int status = rundir_read_units(run->folder, run->plan, others, &run->rows);
    json_array_foreach(others, i, id) if (so_far && status == 0) status =
        read_begun(run, json_string_value(id));
    json_decref(others);
    return status;
}

static int read_rows(struct rundir *run, bool so_far) {
    if (run->read)
        return 0;
    if ((run->about.complete ? rows_csv_read(run->folder, &run->rows) : read_units(run, so_far)) <
        0)
        return -1;
    rows_index(&run->rows);
    run->read = true;
    return 0;
}

int rundir_read(struct rundir *run) {
    return read_rows(run, false);
}

int rundir_read_so_far(struct rundir *run) {
    return read_rows(run, !run->about.going_on);
}

int rundir_speeds(struct rundir *run) {
    return rundir_read(run) < 0 ? -1
                                : pairs_take(run->folder, &run->rows, PAIRS_COMPARED, &run->speeds);
}

bool rundir_verified(const struct rundir *run, char *why, size_t size) {
    if (run->about.complete)
        return digests_hold(run->folder, run->plan, why, size);
    snprintf(why, size, "%s is not complete", run->folder);
    return false;
}

void rundir_close(struct rundir *run) {
    json_decref(run->plan);
    json_decref(run->manifest);
    rows_free(&run->rows);
    pairs_free(&run->speeds);
    *run = (struct rundir){0};
}

void rundir_close_all(struct rundir *runs, size_t count) {
    for (size_t i = 0; runs && i < count; i++)
        rundir_close(&runs[i]);
    free(runs);
}
