#include "bench/context/sample_buffer.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/base/error.h"
#include "bench/process/wire.h"
#include "reports/rows/derive.h"

/* What is noted beside the arms. */
static const char *const notes[] = {SAMPLES_VISIT, SAMPLES_SM_MHZ, SAMPLES_DISTURBED};
enum { NOTES = sizeof notes / sizeof *notes };

int sample_buffer_start(struct sample_buffer *series, enum mode mode, enum lens lens,
                        enum place place, const char (*arms)[RUNDIR_NAME], int arm_count) {
    struct samples *samples = &series->samples;
    *series = (struct sample_buffer){.mode = mode, .lens = lens};
    samples->place = place;
    samples->every = samples->calls = 1;
    samples->planted_seconds = NAN;
    snprintf(samples->mode, sizeof samples->mode, "%s", words_modes[mode]);
    snprintf(samples->lens, sizeof samples->lens, "%s", words_lenses[lens]);
    for (int i = 0; i < arm_count; i++)
        memcpy(samples->columns[samples->column_count++], arms[i], RUNDIR_NAME);
    for (int i = 0; i < arm_count && words_lens_is(lens, LENS_HOST_TIME); i++)
        snprintf(samples->columns[samples->column_count++], RUNDIR_NAME, SAMPLES_HOST "%.80s",
                 arms[i]);
    for (int i = 0; i < NOTES; i++)
        snprintf(samples->columns[samples->column_count++], RUNDIR_NAME, "%s", notes[i]);
    samples->values =
        malloc(SAMPLE_BUFFER_BLOCKS * samples->column_count * sizeof *samples->values);
    return samples->values ? 0 : error("no memory for the samples of %d arms", arm_count);
}

int sample_buffer_take(struct sample_buffer *series, struct samples *samples) {
    if (samples->blocks > SAMPLE_BUFFER_BLOCKS || samples->column_count <= NOTES)
        return error("%s.%s: %zu blocks of %zu columns are no samples of this version",
                     samples->mode, samples->lens, samples->blocks, samples->column_count);
    float *values = realloc(samples->values,
                            SAMPLE_BUFFER_BLOCKS * samples->column_count * sizeof *samples->values);
    if (!values)
        return error("no memory for the samples of %zu columns", samples->column_count);
    series->samples = *samples;
    series->samples.values = values;
    *samples = (struct samples){0};
    return 0;
}

bool sample_buffer_fits(const struct sample_buffer *series, const struct sample_buffer *other) {
    const struct samples *one = &series->samples, *two = &other->samples;
    bool fits = one->column_count == two->column_count;
    for (size_t i = 0; i < one->column_count && fits; i++)
        fits = strcmp(one->columns[i], two->columns[i]) == 0;
    return fits;
}

/* Makes room by dropping every other block. */
static void thin(struct samples *samples) {
    const size_t block = samples->column_count;
    for (size_t i = 1; 2 * i < samples->blocks; i++)
        memcpy(samples->values + i * block, samples->values + 2 * i * block,
               block * sizeof *samples->values);
    samples->blocks = (samples->blocks + 1) / 2;
    samples->every *= 2;
}

void sample_buffer_add(struct sample_buffer *series, const struct sample_blocks *blocks, int visit,
                       double sm_mhz, bool disturbed) {
    struct samples *samples = &series->samples;
    const size_t columns = samples->column_count - NOTES;
    const size_t arms = columns / wire_lens_columns(series->lens);
    const float *values = blocks->values;
    for (size_t b = 0; b < blocks->count; b++, samples->seen++, values += blocks->stride) {
        for (size_t a = 0; a < arms; a++)
            series->timed_seconds += fabs((double)values[a]) * (double)samples->calls;
        if (samples->blocks == SAMPLE_BUFFER_BLOCKS && samples->seen % samples->every == 0)
            thin(samples);
        if (samples->seen % samples->every != 0)
            continue;
        float *row = samples->values + samples->blocks++ * samples->column_count;
        memcpy(row, values, columns * sizeof *row);
        row[columns] = (float)visit;
        row[columns + 1] = (float)sm_mhz;
        row[columns + 2] = disturbed;
    }
}

static void drop_column(struct samples *samples, const char *name) {
    const int column = derive_column(samples, name);
    if (column < 0)
        return;
    const size_t at = (size_t)column, before = samples->column_count--;
    float *to = samples->values;
    memmove(samples->columns[at], samples->columns[at + 1],
            (samples->column_count - at) * sizeof *samples->columns);
    for (size_t i = 0; i < samples->blocks * before; i++)
        if (i % before != at)
            *to++ = samples->values[i];
}

void sample_buffer_drop_arm(struct sample_buffer *series, const char *arm) {
    char host[RUNDIR_NAME];
    snprintf(host, sizeof host, SAMPLES_HOST "%.80s", arm);
    drop_column(&series->samples, arm);
    drop_column(&series->samples, host);
}

/* Of both the same share of blocks is kept. */
void sample_buffer_append(struct sample_buffer *series, const struct sample_buffer *more) {
    struct samples *to = &series->samples;
    const struct samples *from = &more->samples;
    const size_t columns = to->column_count;
    while (to->every < from->every)
        thin(to);
    for (size_t b = 0; b < from->blocks; b++) {
        if (to->blocks == SAMPLE_BUFFER_BLOCKS)
            thin(to);
        if (b * from->every % to->every == 0)
            memcpy(to->values + to->blocks++ * columns, from->values + b * columns,
                   columns * sizeof *to->values);
    }
    to->seen += from->seen;
    series->timed_seconds += more->timed_seconds;
}

void sample_buffer_free(struct sample_buffer *series) {
    free(series->samples.values);
    memset(series, 0, sizeof *series);
}
