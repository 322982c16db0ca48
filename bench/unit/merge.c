#include "bench/unit/merge.h"

#include <stdio.h>
#include <string.h>

#include "bench/base/error.h"

/* The arms as a list for people, up to the first note. */
static void list_arms(const struct samples *samples, char text[1024]) {
    size_t used = 0;
    *text = 0;
    for (size_t i = 0; i < samples->column_count && samples->columns[i][0] != '@' && used < 1024;
         i++)
        used += (size_t)snprintf(text + used, 1024 - used, "%s%.80s", i > 0 ? ", " : "",
                                 samples->columns[i]);
}

/* Visits of other arms are no samples of one unit. Nothing of either is lost. */
static int refuse_arms(const struct unit_context *context, const struct samples *before,
                       const struct samples *now) {
    char there[1024], here[1024], id[UNIT_ID];
    list_arms(before, there);
    list_arms(now, here);
    return error("visit %d has other arms than the visits before it: %s; they have %s; go on where "
                 "all of these are, or remove units/.%s.visits and have the unit measured from "
                 "its first visit",
                 context->course.visit + 1, here, there, unit_id(context->unit, id));
}

/* Takes the series out of the job's result. */
static int merge_series(struct unit_context *context, const struct unit_context *job,
                        struct sample_buffer *more) {
    struct unit_result *result = context->result;
    struct sample_buffer *series = unit_result_series(result, more, unit_subject(job));
    if (series && !sample_buffer_fits(series, more))
        return refuse_arms(context, &series->samples, &more->samples);
    if (series) {
        sample_buffer_append(series, more);
    } else {
        unit_result_add(result, more);
    }
    return 0;
}

/* Means over visits would hide the visit that was throttled: the row shows the last visit's clock
 * and power, and times summed over all. */
static void merge_condition(struct rows *rows, const struct condition_row *more) {
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

/* Of that kernel, or of all (NULL). */
static void merge_findings(struct rows *rows, const struct rows *more, const char *kernel) {
    for (size_t i = 0; i < more->audit_count; i++)
        if (!kernel || strcmp(more->audits[i].kernel, kernel) == 0)
            rows_add_audit(rows, &more->audits[i]);
    for (size_t i = 0; i < more->recording_count; i++)
        if (!kernel || strcmp(more->recordings[i].kernel, kernel) == 0)
            rows_add_recording(rows, &more->recordings[i]);
}

int merge_job(struct unit_context *context, struct unit_context *job) {
    const struct rows *more = &job->result->rows;
    struct rows *rows = &context->result->rows;
    for (int i = 0; i < job->result->series_count; i++)
        if (merge_series(context, job, &job->result->series[i]) < 0)
            return -1;
    for (size_t i = 0; i < more->condition_count; i++)
        merge_condition(rows, &more->conditions[i]);
    for (size_t i = 0; i < rows->condition_count; i++) {
        struct condition_row *row = &rows->conditions[i];
        row->start_seconds = context->start_seconds;
        row->reference_seconds = context->reference_seconds;
        row->check_seconds = context->check_seconds;
        row->audit_seconds = context->audit_seconds;
    }
    merge_findings(rows, more, NULL);
    context->checked = job->checked;
    return 0;
}

struct arm_state *merge_failed(struct unit_context *context, struct unit_context *job,
                               const struct arm_state *failed) {
    struct unit_checked *checked = &context->checked;
    for (int i = 0; i < checked->arm_count; i++)
        if (failed == &job->checked.arms[i]) {
            merge_findings(&context->result->rows, &job->result->rows, failed->row.kernel);
            checked->arms[i] = *failed;
            return &checked->arms[i];
        }
    return NULL;
}
