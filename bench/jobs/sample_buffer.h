/* The raw samples of one unit, mode and lens, as they come in. */
#ifndef BENCH_JOBS_SAMPLE_BUFFER_H
#define BENCH_JOBS_SAMPLE_BUFFER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "bench/plan/plan.h"
#include "reports/run/rundir.h"

/* Blocks kept, at most, each visit of a plan has an equal share of. Of a longer visit every 2nd,
 * 4th, 8th ... block is kept, so that they stay spread evenly over its time. Everything reported is
 * computed from what is kept. */
#define SAMPLE_BUFFER_BLOCKS 16384

struct sample_buffer {
    enum mode mode;
    enum lens lens;
    struct samples samples; /* the arms' columns, by the call lens what each took the host,
                               then @visit, @sm_mhz and @disturbed, then what is noted of visits */
    double timed_seconds;   /* sum of all intervals, kept or not */
    struct {
        size_t blocks;
        double timed_seconds;
    } before;             /* the job in hand */
    uint64_t seen, every; /* of that job: blocks timed, and one of so many is kept */
};

/* Starts a series over the arms of these names. */
void sample_buffer_start(struct sample_buffer *series, enum mode mode, enum lens lens,
                         enum place place, const char (*arms)[RUNDIR_NAME], int arm_count);

/* Whether it is over the arms of these names. */
bool sample_buffer_fits(const struct sample_buffer *series, const char (*arms)[RUNDIR_NAME],
                        int arm_count);

/* Blocks of a batch, as the runner lays them out: of each the lens's own columns. */
struct sample_blocks {
    const float *values; /* of the first; the next ones lie `stride` floats apart */
    size_t count, stride;
    bool doubles; /* SAMPLES_DOUBLES */
};

/* Adds whole blocks of one of so many visits. */
void sample_buffer_add(struct sample_buffer *series, const struct sample_blocks *blocks, int visit,
                       int visits, double sm_mhz, bool disturbed);

/* Notes a number of an arm with the last block of the arms: in the column "PREFIX" "ARM", which is NaN else. */
void sample_buffer_note(struct sample_buffer *series, const char *prefix, const char *arm,
                        double value);

/* A job begins; or it has failed, and all that it has added goes. */
void sample_buffer_begin(struct sample_buffer *series);
void sample_buffer_undo(struct sample_buffer *series);

/* Forgets the columns of an arm. */
void sample_buffer_drop_arm(struct sample_buffer *series, const char *arm);

void sample_buffer_free(struct sample_buffer *series);

#endif
