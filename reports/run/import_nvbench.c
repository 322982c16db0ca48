/* Times of nvbench, as its --json FILE has them: a state for each point of a benchmark's axes. M, N and K
 * are the shape. An axis whose value is a type must be the run's, one called layout names that of B, and the
 * values of all others are part of the arm's name. The cold time is of one call behind a blocking kernel
 * with the L2 cleared: the lens device. The batch time is of many calls in a row: the lens stream. */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include <jansson.h>

#include "bench/base/error.h"
#include "bench/base/files.h"
#include "bench/base/jsonfile.h"
#include "bench/base/text.h"
#include "reports/rows/kept_text.h"
#include "reports/run/import_times.h"

static const struct {
    const char *tag, *cache;
    enum lens lens;
} intervals[] = {{"nv/cold/time/gpu/mean", "cold", LENS_DEVICE},
                 {"nv/batch/time/gpu/mean", "warm", LENS_STREAM}};
enum { INTERVALS = sizeof intervals / sizeof *intervals };

/* A state, and what its axes say. */
struct state {
    struct import_times *times;
    const json_t *json;
    struct import_time time;
    char arm[RUNDIR_NAME];
    const char *layout;
};

/* Numbers stand there as texts. */
static const char *value_text(const json_t *entry, char text[32]) {
    const json_t *value = json_object_get(entry, "value");
    if (json_is_string(value))
        return json_string_value(value);
    snprintf(text, 32, json_is_number(value) ? "%.17g" : "", json_number_value(value));
    return text;
}

static int fault(const struct state *state, const char *what, const char *value, const char *why) {
    return error("%s: %s: %s '%.60s': %s", state->times->file, state->time.where, what, value, why);
}

static int read_edge(const struct state *state, const char *axis, const char *value,
                     int64_t *edge) {
    double number;
    const char *end = text_number(value, &number);
    if (!end || *end || number != floor(number) || number < 1 || number > SHAPE_MAX_SIZE)
        return fault(state, axis, value, "a size from 1 to 1048576 is wanted");
    *edge = (int64_t)number;
    return 0;
}

static int read_axis(struct state *state, const json_t *axis) {
    char text[32];
    const char *name = jsonfile_text(axis, "name"), *value = value_text(axis, text);
    struct shape *shape = &state->time.shape;
    int64_t *edge = strcasecmp(name, "m") == 0   ? &shape->m
                    : strcasecmp(name, "n") == 0 ? &shape->n
                    : strcasecmp(name, "k") == 0 ? &shape->k
                                                 : NULL;
    bool same;
    if (edge)
        return read_edge(state, name, value, edge);
    if (import_type(state->times, value, &same))
        return same ? 0
                    : fault(state, name, value,
                            "another type than this run's: leave such states out, or import with "
                            "--element bf16 or f16");
    if (strcasecmp(name, "layout") == 0) {
        state->layout = kept_text(value);
        return strcmp(value, "nn") == 0 || strcmp(value, "tn") == 0
                   ? 0
                   : fault(state, name, value,
                           "nn (B row-major) or tn (B column-major) is wanted; leave others out");
    }
    text_append(state->arm, sizeof state->arm, " %s=%s", name, value);
    return 0;
}

/* The time of one interval, where the state has it. Returns 1 then, 0 without, -1 after error(). */
static int read_interval(struct state *state, size_t which) {
    const json_t *summary =
        jsonfile_entry(json_object_get(state->json, "summaries"), "tag", intervals[which].tag);
    const char *hint = jsonfile_text(summary, "hint");
    char text[32];
    const char *value =
        value_text(jsonfile_entry(json_object_get(summary, "data"), "name", "value"), text);
    struct import_time *time = &state->time;
    if (!summary)
        return 0;
    if (*hint && strcmp(hint, "duration") != 0)
        return fault(state, intervals[which].tag, hint, "the hint duration, seconds, is wanted");
    const char *end = text_number(value, &time->seconds);
    if (!end || *end || !(time->seconds > 0))
        return fault(state, intervals[which].tag, value,
                     "a finite number of seconds above 0 is wanted; leave the state out");
    time->lens = intervals[which].lens;
    time->cache = intervals[which].cache;
    import_add(state->times, time, state->arm, state->layout);
    return 1;
}

static int read_state(struct state *state) {
    struct import_times *times = state->times;
    const json_t *axes = json_object_get(state->json, "axis_values");
    const struct shape *shape = &state->time.shape;
    int found = 0;
    if (json_is_true(json_object_get(state->json, "is_skipped"))) {
        if (times->failed++ == 0)
            snprintf(times->first, sizeof times->first, "%s, %.60s", state->time.where,
                     jsonfile_text(state->json, "skip_reason"));
        return 0;
    }
    for (size_t i = 0; i < json_array_size(axes); i++)
        if (read_axis(state, json_array_get(axes, i)) < 0)
            return -1;
    if (!shape->m || !shape->n || !shape->k)
        return error("%s: %s: axes M, N and K are wanted, so that the shape is known", times->file,
                     state->time.where);
    for (size_t i = 0; i < INTERVALS; i++) {
        const int status = read_interval(state, i);
        if (status < 0)
            return -1;
        found += status;
    }
    return found ? 0
                 : error("%s: %s: no summary has the tag %s or %s; nvbench of 2022 or later writes "
                         "them",
                         times->file, state->time.where, intervals[0].tag, intervals[1].tag);
}

/* The name of the GPU that the state is of, which must be that of all. */
static int take_gpu(const json_t *root, const struct state *state) {
    const json_t *devices = json_object_get(root, "devices"),
                 *id = json_object_get(state->json, "device");
    struct import_times *times = state->times;
    for (size_t i = 0; i < json_array_size(devices); i++) {
        const json_t *device = json_array_get(devices, i);
        const char *name = jsonfile_text(device, "name");
        if (!id || !json_equal(json_object_get(device, "id"), id))
            continue;
        if (*times->gpu && strcmp(times->gpu, name) != 0)
            return fault(state, "device", name, "another GPU than before: import one at a time");
        snprintf(times->gpu, sizeof times->gpu, "%s", name);
    }
    return 0;
}

static int read_all(struct import_times *times, const json_t *root) {
    const json_t *benchmarks = json_object_get(root, "benchmarks");
    if (!json_is_array(benchmarks))
        return error("%s: no list 'benchmarks': this is not what nvbench --json writes",
                     times->file);
    for (size_t i = 0; i < json_array_size(benchmarks); i++) {
        const json_t *benchmark = json_array_get(benchmarks, i);
        const json_t *states = json_object_get(benchmark, "states");
        for (size_t j = 0; j < json_array_size(states); j++) {
            struct state state = {.times = times,
                                  .json = json_array_get(states, j),
                                  .time = {.note = ""},
                                  .layout = ""};
            snprintf(state.time.where, sizeof state.time.where, "benchmarks[%zu].states[%zu]", i,
                     j);
            snprintf(state.arm, sizeof state.arm, "%s", jsonfile_text(benchmark, "name"));
            if (!*state.arm)
                return fault(&state, "name", "", "the benchmark's name is wanted");
            if (take_gpu(root, &state) < 0 || read_state(&state) < 0)
                return -1;
        }
    }
    return 0;
}

static int read_file(struct import_times *times) {
    json_error_t wrong;
    FILE *in = files_open(times->file, FILES_MOST_TEXT);
    if (!in)
        return error("%s: cannot read: %s", times->file, files_explain(errno));
    json_t *root = json_loadf(in, JSON_REJECT_DUPLICATES, &wrong);
    fclose(in);
    const int status =
        root ? read_all(times, root) : error("%s:%d: %s", times->file, wrong.line, wrong.text);
    json_decref(root);
    return status;
}

const struct import_tool import_nvbench = {.name = "nvbench", .unit = "seconds", .read = read_file};
