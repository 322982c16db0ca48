#include "bench/jobs/unit_result.h"

#include <string.h>

#include "bench/base/error.h"
#include "reports/rows/derive_values.h"

/* By mode, lens and kernel: rows have the same order whatever was timed first. */
static int order_of(const struct sample_buffer *series) {
    return 2 * ((int)series->mode * LENS_COUNT + (int)series->lens) +
           samples_of_previous(&series->samples);
}

static void add(struct unit_result *result, const struct sample_buffer *series) {
    int at = result->series_count++;
    for (; at > 0 && order_of(&result->series[at - 1]) > order_of(series); at--)
        result->series[at] = result->series[at - 1];
    result->series[at] = *series;
}

int unit_result_take(struct unit_result *result, struct samples *samples, size_t count) {
    for (size_t i = 0; i < count; i++) {
        const int mode = words_find(words_modes, samples[i].mode);
        const int lens = words_find(words_lenses, samples[i].lens);
        const struct sample_buffer series = {
            .mode = (enum mode)mode, .lens = (enum lens)lens, .samples = samples[i]};
        if (mode < 0 || lens < 0 || result->series_count == UNIT_SERIES)
            return error("samples of a mode or lens that this version does not know");
        add(result, &series);
        samples[i] = (struct samples){0};
    }
    return 0;
}

struct sample_buffer *unit_result_series(const struct unit_result *result, enum mode mode,
                                         enum lens lens, bool staged, const char *kernel) {
    for (int i = 0; i < result->series_count; i++) {
        const struct sample_buffer *series = &result->series[i];
        if (series->mode == mode && series->lens == lens &&
            (series->samples.place == PLACE_STAGE) == staged &&
            (staged || !*kernel || derive_column(&series->samples, kernel) >= 0))
            return (struct sample_buffer *)series;
    }
    return NULL;
}

void unit_result_start(struct unit_result *result, enum mode mode, enum lens lens, enum place place,
                       const char (*arms)[RUNDIR_NAME], int arm_count) {
    struct sample_buffer series;
    sample_buffer_start(&series, mode, lens, place, arms, arm_count);
    add(result, &series);
}

/* Means over visits would hide the visit that was throttled: the row shows the last visit's clock
 * and power, and times summed over all. */
void unit_result_add_condition(struct unit_result *result, const struct condition_row *more) {
    struct rows *rows = &result->rows;
    struct condition_row *row = NULL, sum = *more;
    for (size_t i = 0; i < rows->condition_count; i++)
        if (strcmp(rows->conditions[i].mode, more->mode) == 0)
            row = &rows->conditions[i];
    if (!row) {
        rows_add_condition(rows, more);
        return;
    }
    if (more->blocks == 0) {
        row->warmup_seconds += more->warmup_seconds;
        return;
    }
    sum.blocks += row->blocks;
    sum.disturbed = (row->disturbed * row->blocks + more->disturbed * more->blocks) / sum.blocks;
    sum.warmup_seconds += row->warmup_seconds;
    sum.wall_seconds += row->wall_seconds;
    sum.timed_seconds += row->timed_seconds;
    sum.call_seconds += row->call_seconds;
    sum.device_seconds += row->device_seconds;
    sum.stream_seconds += row->stream_seconds;
    *row = sum;
}

void unit_result_begin(struct unit_result *result) {
    const struct rows *rows = &result->rows;
    for (int i = 0; i < result->series_count; i++)
        sample_buffer_begin(&result->series[i]);
    result->before.condition_count = rows->condition_count;
    for (size_t i = 0; i < rows->condition_count; i++)
        result->before.conditions[i] = rows->conditions[i];
    result->before.audit_count = rows->audit_count;
    result->before.recording_count = rows->recording_count;
}

static void drop_series(struct unit_result *result, int which) {
    sample_buffer_free(&result->series[which]);
    for (int i = which + 1; i < result->series_count; i++)
        result->series[i - 1] = result->series[i];
    result->series_count--;
}

/* Of the findings behind those that were kept, those of the kernel stay. */
static void undo_findings(struct unit_result *result, const char *kernel) {
    struct rows *rows = &result->rows;
    size_t audits = result->before.audit_count, recordings = result->before.recording_count;
    for (size_t i = audits; i < rows->audit_count && kernel; i++)
        if (strcmp(rows->audits[i].kernel, kernel) == 0)
            rows->audits[audits++] = rows->audits[i];
    for (size_t i = recordings; i < rows->recording_count && kernel; i++)
        if (strcmp(rows->recordings[i].kernel, kernel) == 0)
            rows->recordings[recordings++] = rows->recordings[i];
    rows->audit_count = audits;
    rows->recording_count = recordings;
}

void unit_result_undo(struct unit_result *result, const char *kernel) {
    struct rows *rows = &result->rows;
    undo_findings(result, kernel);
    rows->condition_count = result->before.condition_count;
    for (size_t i = 0; i < rows->condition_count; i++)
        rows->conditions[i] = result->before.conditions[i];
    for (int i = result->series_count - 1; i >= 0; i--) {
        sample_buffer_undo(&result->series[i]);
        if (result->series[i].samples.blocks == 0)
            drop_series(result, i);
    }
}

void unit_result_drop(struct unit_result *result, int lenses, const char *kernel) {
    for (int i = result->series_count - 1; i >= 0; i--) {
        struct sample_buffer *series = &result->series[i];
        if (!(lenses & 1 << series->lens))
            continue;
        if (kernel && series->samples.place == PLACE_STAGE)
            sample_buffer_drop_arm(series, kernel);
        else if (!kernel || derive_column(&series->samples, kernel) >= 0)
            drop_series(result, i);
    }
}

void unit_result_drop_times(struct unit_result *result) {
    unit_result_drop(result, ~0, NULL);
    result->rows.condition_count = 0;
}

void unit_result_free(struct unit_result *result) {
    unit_result_drop_times(result);
    rows_free(&result->rows);
    memset(result, 0, sizeof *result);
}
