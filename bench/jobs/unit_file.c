#include "bench/jobs/unit_file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bench/base/error.h"
#include "bench/base/files.h"
#include "bench/base/need.h"

#define REMEDY                                                                                     \
    "remove the unit's .visits folder, and --resume measures the unit from its first visit"

/* What a file of a recording ends with. */
struct tail {
    struct shape padded;
    int32_t operands, calls;
    uint64_t bytes; /* before it */
};

/* RUN/units/.ID.visits/candidate.recording, in the folder of what is stored of visits. 0, or -1
 * after error(). */
static int find_recording(const struct unit_context *context, int which, char path[PATH_MAX]) {
    static const char *const whose[UNIT_KERNELS] = {"candidate", "previous"};
    char id[UNIT_ID], name[UNIT_ID + 64];
    snprintf(name, sizeof name, "units/.%s.visits/%s.recording", unit_id(context->unit, id),
             whose[which]);
    return files_join(path, context->session->run, name);
}

static int write_recording(char path[PATH_MAX], const struct recorded *recorded) {
    const struct tail tail = {.padded = recorded->padded,
                              .operands = recorded->operands,
                              .calls = recorded->calls,
                              .bytes = recorded->size};
    char *const name = strrchr(path, '/') + 1;
    struct file file;
    name[-1] = 0;
    if (files_make_folder(path) < 0 || file_open(&file, path, name) < 0)
        return -1;
    fwrite(recorded->bytes, 1, recorded->size, file.stream);
    fwrite(&tail, sizeof tail, 1, file.stream);
    return file_commit(&file);
}

/* They may have hundreds of MiB: each is stored once. */
static int write_recordings(struct unit_context *context) {
    char path[PATH_MAX];
    for (int i = 0; i < UNIT_KERNELS; i++) {
        struct recorded *recorded = &context->recorded[i];
        if (find_recording(context, i, path) < 0)
            return -1;
        if (!recorded->bytes)
            unlink(path);
        else if (!recorded->stored && write_recording(path, recorded) < 0)
            return -1;
        recorded->stored = true;
    }
    return 0;
}

/* Its bytes are the recording's then. */
static int take_recording(const struct file_bytes *file, struct recorded *recorded) {
    struct tail tail = {.bytes = 0};
    if (file->size > sizeof tail)
        memcpy(&tail, file->bytes + file->size - sizeof tail, sizeof tail);
    if (tail.bytes == 0 || tail.bytes != file->size - sizeof tail || tail.operands < 0 ||
        tail.operands >= LAYOUT_OPERANDS)
        return -1;
    *recorded = (struct recorded){.bytes = file->bytes,
                                  .size = tail.bytes,
                                  .padded = tail.padded,
                                  .operands = (enum layout_operands)tail.operands,
                                  .calls = tail.calls,
                                  .stored = true};
    return 0;
}

static int read_recording(struct unit_context *context, int which, const char *path) {
    struct recorded *recorded = &context->recorded[which];
    struct file_bytes file;
    if (file_bytes_read(path, &file) < 0)
        return -1;
    if (take_recording(&file, recorded) < 0) {
        file_bytes_free(&file);
        return error("%s is damaged; " REMEDY, path);
    }
    /* The kernel may be recorded again before it is in a process of its own. */
    unit_kernel(context, which)->padded = recorded->padded;
    return 0;
}

/* On the stage a kernel that has passed has one. */
static int read_recordings(struct unit_context *context) {
    char path[PATH_MAX];
    for (int i = 0; i < UNIT_KERNELS; i++) {
        const struct arm_state *kernel = unit_kernel(context, i);
        bool there;
        if (find_recording(context, i, path) < 0 || files_exists(path, &there) < 0)
            return -1;
        if (kernel && !there && kernel->outcome == OUTCOME_OK && plan_is_staged(context->plan))
            return error("%s is gone; " REMEDY, path);
        if (kernel && there && read_recording(context, i, path) < 0)
            return -1;
    }
    return 0;
}

/* Beside rows, samples and recordings: the number of visits, the seconds of the checks, and what
 * the libraries have chosen, by number. */
static json_t *state_of(const struct unit_context *context) {
    const struct unit_checked *checked = &context->checked;
    json_t *variants = json_object();
    for (int i = 0; i < checked->arm_count; i++)
        if (checked->arms[i].variant >= 0)
            json_object_set_new(variants, checked->arms[i].row.kernel,
                                json_integer(checked->arms[i].variant));
    return json_pack("{s:i, s:[f, f, f, f], s:o}", "visit", context->visit, "seconds",
                     context->start_seconds, context->reference_seconds, context->check_seconds,
                     context->audit_seconds, "variants", variants);
}

/* The rows of the checks, and in every row the device and the seconds of all that is not timed. */
static void put_rows(struct unit_context *context) {
    struct rows *rows = &context->result->rows;
    for (int i = 0; i < context->checked.arm_count; i++)
        unit_add_check(context, &context->checked.arms[i]);
    for (size_t i = 0; i < rows->check_count; i++)
        memcpy(rows->checks[i].device, context->device, RUNDIR_NAME);
    for (size_t i = 0; i < rows->condition_count; i++) {
        struct condition_row *row = &rows->conditions[i];
        memcpy(row->device, context->device, RUNDIR_NAME);
        row->start_seconds = context->start_seconds;
        row->reference_seconds = context->reference_seconds;
        row->check_seconds = context->check_seconds;
        row->audit_seconds = context->audit_seconds;
    }
}

int unit_file_write(struct unit_context *context, bool whole) {
    const struct unit_result *result = context->result;
    const char *run = context->session->run;
    struct samples samples[UNIT_SERIES];
    char id[UNIT_ID];
    put_rows(context);
    if (!run)
        return 0;
    struct rundir_unit unit = {.rows = result->rows,
                               .samples = samples,
                               .sample_count = (size_t)result->series_count,
                               .state = whole ? NULL : state_of(context)};
    for (size_t i = 0; i < unit.sample_count; i++)
        samples[i] = result->series[i].samples;
    const int status = !whole && write_recordings(context) < 0
                           ? -1
                           : rundir_write_unit(run, unit_id(context->unit, id), &unit);
    json_decref(unit.state);
    return status;
}

/* The kernel under test that an arm is. */
static int take_kernel(struct unit_context *context, int which, struct arm_state *arm) {
    const struct recording_row *seen = rows_recording(&context->result->rows, arm->row.kernel);
    context->checked.kernel[which] = (int)(arm - context->checked.arms);
    arm->built = unit_built(context, which);
    arm->work = seen ? strtoull(seen->own_kernels, NULL, 16) : 0;
    if (arm->outcome != OUTCOME_OK || arm->built->outcome == BUILD_OK)
        return 0;
    return error("%s has compiled in an earlier visit, and does not now: %s", arm->row.kernel,
                 arm->built->message);
}

/* The arm that a row of the checks is, as it was; not in any runner. */
static int take_arm(struct unit_context *context, const struct check_row *row,
                    const json_t *variants) {
    struct unit_checked *checked = &context->checked;
    const int outcome = words_find(outcome_words, row->outcome);
    const json_t *variant = json_object_get(variants, row->kernel);
    struct arm_state *arm = &checked->arms[checked->arm_count++];
    if (outcome < 0)
        return error("what is kept of a unit: '%.60s' is no outcome", row->outcome);
    *arm = (struct arm_state){
        .row = *row, .number = -1, .variant = WIRE_CHOOSE, .outcome = (enum outcome)outcome};
    if (context->unit->previous && strcmp(row->kernel, RUNDIR_PREVIOUS) == 0)
        return take_kernel(context, UNIT_PREVIOUS, arm);
    if (context->unit->candidate && strcmp(row->kernel, unit_label(context->unit)) == 0)
        return take_kernel(context, UNIT_CANDIDATE, arm);
    if (variant)
        arm->variant = (int)json_integer_value(variant);
    return 0;
}

/* Each row of the checks is an arm, and names the device. */
static int take_arms(struct unit_context *context, const json_t *variants) {
    struct rows *rows = &context->result->rows;
    const size_t count = rows->check_count;
    if (count == 0 || count > WIRE_ARMS)
        return error("what is kept of a unit: %zu arms in checks.csv", count);
    context->checked = (struct unit_checked){.kernel = {-1, -1}};
    memcpy(context->device, rows->checks->device, sizeof context->device);
    for (size_t i = 0; i < count; i++)
        if (take_arm(context, &rows->checks[i], variants) < 0)
            return -1;
    rows->check_count = 0;
    return 0;
}

static int take_state(struct unit_context *context, const json_t *state) {
    json_t *variants;
    json_error_t wrong;
    if (json_unpack_ex((json_t *)state, &wrong, JSON_STRICT, "{s:i, s:[F, F, F, F], s:o}", "visit",
                       &context->visit, "seconds", &context->start_seconds,
                       &context->reference_seconds, &context->check_seconds,
                       &context->audit_seconds, "variants", &variants) < 0)
        return error("what is kept of a unit: %s", wrong.text);
    return take_arms(context, variants) < 0 || read_recordings(context) < 0 ? -1 : 0;
}

int unit_file_read(struct unit_context *context) {
    struct unit_result *result = context->result;
    struct rundir_unit unit;
    char id[UNIT_ID];
    if (!context->session->run)
        return 1;
    const int is = rundir_read_unit(context->session->run, unit_id(context->unit, id), &unit);
    result->rows = unit.rows;
    unit.rows = (struct rows){0};
    int status = is < 0 ? -1 : is != RUNDIR_BEGUN;
    if (status == 0 && (unit_result_take(result, unit.samples, unit.sample_count) < 0 ||
                        take_state(context, unit.state) < 0))
        status = -1;
    rundir_free_unit(&unit);
    return status;
}
