#include "bench/jobs/sample_buffer.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/base/need.h"
#include "bench/process/wire.h"
#include "reports/rows/derive.h"

/* What is noted beside the arms. */
static const char *const notes[] = {SAMPLES_VISIT, SAMPLES_SM_MHZ, SAMPLES_DISTURBED,
                                    SAMPLES_DOUBLES};
enum { NOTES = sizeof notes / sizeof *notes };

void sample_buffer_start(struct sample_buffer *series, enum mode mode, enum lens lens,
                         enum place place, const char (*arms)[RUNDIR_NAME], int arm_count) {
    struct samples *samples = &series->samples;
    *series = (struct sample_buffer){.mode = mode, .lens = lens, .every = 1};
    samples->place = place;
    samples->calls = 1;
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
}

/* Those of the lens, which stand before the notes. */
static size_t own_columns(const struct samples *samples) {
    const int visit = derive_column(samples, SAMPLES_VISIT);
    return visit < 0 ? 0 : (size_t)visit;
}

bool sample_buffer_fits(const struct sample_buffer *series, const char (*arms)[RUNDIR_NAME],
                        int arm_count) {
    const struct samples *samples = &series->samples;
    bool fits = own_columns(samples) == (size_t)arm_count * wire_lens_columns(series->lens);
    for (int i = 0; i < arm_count && fits; i++)
        fits = strcmp(samples->columns[i], arms[i]) == 0;
    return fits;
}

/* Makes room by dropping every other block of the job in hand. */
static void thin(struct sample_buffer *series) {
    struct samples *samples = &series->samples;
    const size_t block = samples->column_count, count = samples->blocks - series->before.blocks;
    float *first = samples->values + series->before.blocks * block;
    for (size_t i = 1; 2 * i < count; i++)
        memcpy(first + i * block, first + 2 * i * block, block * sizeof *first);
    samples->blocks = series->before.blocks + (count + 1) / 2;
    series->every *= 2;
}

/* For so many blocks more. */
static void make_room(struct samples *samples, size_t more) {
    const size_t block = samples->column_count * sizeof *samples->values;
    float *values = need(samples->blocks + more, block);
    if (samples->blocks > 0)
        memcpy(values, samples->values, samples->blocks * block);
    free(samples->values);
    samples->values = values;
}

void sample_buffer_add(struct sample_buffer *series, const struct sample_blocks *blocks, int visit,
                       int visits, double sm_mhz, bool disturbed) {
    struct samples *samples = &series->samples;
    const size_t columns = own_columns(samples);
    const size_t arms = columns / wire_lens_columns(series->lens);
    const size_t most = SAMPLE_BUFFER_BLOCKS / (size_t)visits;
    const float *values = blocks->values;
    make_room(samples, blocks->count);
    for (size_t b = 0; b < blocks->count; b++, series->seen++, values += blocks->stride) {
        for (size_t a = 0; a < arms; a++)
            series->timed_seconds +=
                isnan(values[a]) ? 0 : fabs((double)values[a]) * (double)samples->calls;
        if (samples->blocks - series->before.blocks == most && series->seen % series->every == 0)
            thin(series);
        if (series->seen % series->every != 0)
            continue;
        float *row = samples->values + samples->blocks++ * samples->column_count;
        memcpy(row, values, columns * sizeof *row);
        row[columns] = (float)visit;
        row[columns + 1] = (float)sm_mhz;
        row[columns + 2] = disturbed;
        row[columns + 3] = blocks->doubles;
        for (size_t i = columns + NOTES; i < samples->column_count; i++)
            row[i] = NAN;
    }
}

/* A column of NaN behind the others. */
static int add_column(struct samples *samples, const char *name) {
    const size_t before = samples->column_count++;
    float *values = need(samples->blocks * samples->column_count, sizeof *values);
    snprintf(samples->columns[before], RUNDIR_NAME, "%s", name);
    for (size_t b = 0; b < samples->blocks; b++) {
        float *row = values + b * samples->column_count;
        memcpy(row, samples->values + b * before, before * sizeof *row);
        row[before] = NAN;
    }
    free(samples->values);
    samples->values = values;
    return (int)before;
}

void sample_buffer_note(struct sample_buffer *series, const char *prefix, const char *arm,
                        double value) {
    struct samples *samples = &series->samples;
    char name[RUNDIR_NAME];
    snprintf(name, sizeof name, "%s%.80s", prefix, arm);
    int column = derive_column(samples, name);
    if (column < 0)
        column = add_column(samples, name);
    const size_t doubles = (size_t)derive_column(samples, SAMPLES_DOUBLES);
    size_t block = samples->blocks - 1;
    while (block > 0 && derive_value(samples, block, doubles) > 0)
        block--;
    samples->values[block * samples->column_count + (size_t)column] = (float)value;
}

void sample_buffer_begin(struct sample_buffer *series) {
    series->before.blocks = series->samples.blocks;
    series->seen = 0;
    series->before.timed_seconds = series->timed_seconds;
    series->every = 1;
}

void sample_buffer_undo(struct sample_buffer *series) {
    series->samples.blocks = series->before.blocks;
    series->seen = 0;
    series->timed_seconds = series->before.timed_seconds;
    series->every = 1;
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
    char host[RUNDIR_NAME], joules[RUNDIR_NAME];
    snprintf(host, sizeof host, SAMPLES_HOST "%.80s", arm);
    snprintf(joules, sizeof joules, SAMPLES_JOULES "%.80s", arm);
    drop_column(&series->samples, arm);
    drop_column(&series->samples, host);
    drop_column(&series->samples, joules);
}

void sample_buffer_free(struct sample_buffer *series) {
    free(series->samples.values);
    memset(series, 0, sizeof *series);
}
