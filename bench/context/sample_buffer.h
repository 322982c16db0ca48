/* The raw samples of one unit, mode and lens, as they come in. */
#ifndef BENCH_CONTEXT_SAMPLE_BUFFER_H
#define BENCH_CONTEXT_SAMPLE_BUFFER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "bench/plan/plan.h"
#include "reports/run/rundir.h"

/* Blocks kept, at most. A longer series keeps every 2nd, 4th, 8th ... block, so that what is kept
 * stays spread evenly over the whole time, and everything reported is computed from what is kept.
 */
#define SAMPLE_BUFFER_BLOCKS 16384

struct sample_buffer {
    enum mode mode;
    enum lens lens;
    struct samples samples; /* the arms' columns, by the call lens what each took the host,
                               then @visit, @sm_mhz and @disturbed */
    double timed_seconds;   /* sum of all intervals, kept or not */
};

/* Starts a series over the arms of these names. 0, or -1 after error(). */
int sample_buffer_start(struct sample_buffer *series, enum mode mode, enum lens lens,
                        enum place place, const char (*arms)[RUNDIR_NAME], int arm_count);

/* Goes on with samples that were stored; they are taken out of *samples. 0, or -1 after error(). */
int sample_buffer_take(struct sample_buffer *series, struct samples *samples);

/* Whether both are over the same arms. */
bool sample_buffer_fits(const struct sample_buffer *series, const struct sample_buffer *other);

/* Blocks of a batch, as the runner lays them out: of each the lens's own columns. */
struct sample_blocks {
    const float *values; /* of the first; the next ones lie `stride` floats apart */
    size_t count, stride;
};

/* Adds whole blocks. */
void sample_buffer_add(struct sample_buffer *series, const struct sample_blocks *blocks, int visit,
                       double sm_mhz, bool disturbed);

/* Adds another series over the same arms behind it. */
void sample_buffer_append(struct sample_buffer *series, const struct sample_buffer *more);

/* Forgets the columns of an arm. */
void sample_buffer_drop_arm(struct sample_buffer *series, const char *arm);

void sample_buffer_free(struct sample_buffer *series);

#endif
