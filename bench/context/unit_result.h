/* What comes of one unit: rows, and the raw samples that the rows of times are computed from. */
#ifndef BENCH_CONTEXT_UNIT_RESULT_H
#define BENCH_CONTEXT_UNIT_RESULT_H

#include "bench/context/sample_buffer.h"
#include "reports/run/rundir.h"

struct unit_result {
    struct rows rows; /* checks and audits, from the checks; all others from the visits */
    struct sample_buffer series[MODE_COUNT * LENS_COUNT];
    int series_count;
};

/* Takes the samples as series, in the order in which they are made; *samples is empty then. How
 * long they took is not in them. 0, or -1 after error(). */
int unit_result_take(struct unit_result *result, struct samples *samples, size_t count);

/* Forgets what was timed by a lens. */
void unit_result_drop_lens(struct unit_result *result, enum lens lens);

/* Forgets what was timed of an arm. */
void unit_result_drop_arm(struct unit_result *result, const char *kernel);

/* Forgets all that was timed. */
void unit_result_drop_times(struct unit_result *result);

void unit_result_free(struct unit_result *result);

#endif
