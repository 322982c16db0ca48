#include "reports/run/opened.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/base/beside.h"
#include "bench/base/error.h"
#include "bench/base/files.h"
#include "bench/base/need.h"

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

bool rundir_is_promoted(const struct rundir *run) {
    return json_object_get(run->manifest, RUNDIR_PROMOTED) != NULL;
}

int rundir_begun(const struct rundir *run) {
    return run->manifest ? 0
                         : error("%s has no manifest.json: nothing of it was measured; go on with "
                                 "--resume",
                                 run->folder);
}

/* What derive_unit must be told of a unit with these rows, some of them of checks. Its texts are those
 * of the run and the rows. 0, or -1 after error(). */
static int about_unit(const struct rundir *run, const struct rows *rows,
                      struct derive_about *about) {
    const struct check_row *first = rows->checks, *own = NULL;
    for (size_t i = 0; i < rows->check_count && !own; i++)
        if (strcmp(rows->checks[i].kernel, first->candidate) == 0)
            own = &rows->checks[i];
    *about = (struct derive_about){.shape = first->shape,
                                   .candidate = first->candidate,
                                   .device = first->device,
                                   .deviation = own ? own->deviation : NAN,
                                   .code_length = own ? own->code_length : NAN};
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
    about->light_seconds = light_seconds(first->shape.m, first->shape.n, first->shape.k, &rates);
    return 0;
}

/* Where two units were swapped, each row is what its samples give. */
static int refuse_other(const struct rundir *run, const char *id, const struct rows *rows) {
    char is[RUNDIR_UNIT];
    if (rows->check_count == 0)
        return error("%s/units/%s/checks.csv: holds no row", run->folder, id);
    const struct check_row *row = rows->checks;
    rundir_unit_id(row->shape, row->candidate, is);
    return strcmp(is, id) == 0 ? 0 : error("%s/units/%s: holds the unit %s", run->folder, id, is);
}

int rundir_derive(const struct rundir *run, const char *id, struct rundir_unit *unit) {
    struct derive_about about;
    if (refuse_other(run, id, &unit->rows) < 0)
        return -1;
    if (unit->sample_count == 0)
        return 0;
    return about_unit(run, &unit->rows, &about) < 0
               ? -1
               : derive_unit(unit->samples, unit->sample_count, &about, &unit->rows);
}

/* Of a run that is being measured, units that are not whole come and go. */
enum wanted { ALL_WHOLE, THOSE_WHOLE, BEGUN_TOO };

/* Appends the unit's rows, where it is whole, or has two visits: one shows no scatter. */
static int add_unit(struct rundir *run, const char *id, enum wanted wanted) {
    struct rundir_unit unit;
    const int whole = rundir_has_unit(run->folder, id);
    if (whole == 0 && wanted == ALL_WHOLE)
        return error("%s/units/%s: is missing; go on with --resume", run->folder, id);
    if (whole <= 0 && wanted != BEGUN_TOO)
        return whole;
    const int is = rundir_read_unit(run->folder, id, &unit);
    int status = is < 0 ? -1 : 0;
    if (is == RUNDIR_WHOLE || json_integer_value(json_object_get(unit.state, "visit")) > 1) {
        status = status < 0 ? -1 : rundir_derive(run, id, &unit);
        if (status == 0)
            rows_append(&run->rows, &unit.rows);
    }
    rundir_free_unit(&unit);
    return status;
}

/* Those of the plan. */
static int add_units(struct rundir *run, enum wanted wanted) {
    json_t *units = json_object_get(run->plan, "units"), *id;
    size_t i;
    int status = json_is_array(units)
                     ? 0
                     : error("%s/plan.json: \"units\" must be an array of names", run->folder);
    json_array_foreach(units, i, id) {
        const char *name = json_string_value(id);
        if (status == 0)
            status = name ? add_unit(run, name, wanted)
                          : error("%s/plan.json: units[%zu] is no string", run->folder, i);
    }
    return status;
}

int rundir_collect(struct rundir *run) {
    run->read = true;
    return add_units(run, ALL_WHOLE) < 0 ? -1
                                         : rows_csv_write(run->folder, ROWS_CSV_RUN, &run->rows);
}

static int read_rows(struct rundir *run, enum wanted wanted) {
    if (run->read)
        return 0;
    if ((run->about.complete ? rows_csv_read(run->folder, ROWS_CSV_RUN, &run->rows)
                             : add_units(run, wanted)) < 0)
        return -1;
    run->read = true;
    return 0;
}

int rundir_read(struct rundir *run) {
    return read_rows(run, THOSE_WHOLE);
}

int rundir_read_so_far(struct rundir *run) {
    return read_rows(run, run->about.going_on ? THOSE_WHOLE : BEGUN_TOO);
}

int rundir_speeds(struct rundir *run) {
    return rundir_read(run) < 0 ? -1 : pairs_take(run->folder, &run->rows, &run->speeds);
}

static bool verify(const struct rundir *run, char *why, size_t size) {
    if (run->about.complete)
        return digests_hold(run->folder, run->plan, why, size);
    snprintf(why, size, "%s is not complete", run->folder);
    return false;
}

struct looking {
    struct beside beside;
    bool hold;
    char why[PATH_MAX + 256];
};

static void look(void *context) {
    const struct rundir *run = context;
    run->looking->hold = verify(run, run->looking->why, sizeof run->looking->why);
}

void rundir_look(struct rundir *run) {
    run->looking = need(1, sizeof *run->looking);
    beside_begin(&run->looking->beside, look, run);
}

bool rundir_verified(const struct rundir *run, char *why, size_t size) {
    if (!run->looking)
        return verify(run, why, size);
    beside_end(&run->looking->beside);
    snprintf(why, size, "%s", run->looking->why);
    return run->looking->hold;
}

void rundir_close(struct rundir *run) {
    if (run->looking)
        beside_end(&run->looking->beside);
    free(run->looking);
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
