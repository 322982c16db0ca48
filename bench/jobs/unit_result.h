/* What comes of one unit: rows, and the raw samples that the rows of times are computed from. A job
 * of a visit adds to it, and where the job fails, what it has added goes. */
#ifndef BENCH_JOBS_UNIT_RESULT_H
#define BENCH_JOBS_UNIT_RESULT_H

#include "bench/jobs/sample_buffer.h"
#include "reports/run/rundir.h"

#define UNIT_SERIES (2 * MODE_COUNT * LENS_COUNT)
struct unit_result {
    struct rows rows; /* checks and audits, from the checks; all others from the visits */
    /* Of a lens that own processes time each kernel has a series of its own. */
    struct sample_buffer series[UNIT_SERIES];
    int series_count;
    struct {
        struct condition_row conditions[MODE_COUNT];
        size_t condition_count, audit_count, recording_count;
    } before; /* the job in hand */
};

/* Takes the samples as series; *samples is empty then. How long they took is not in them. 0, or -1
 * after error(). */
int unit_result_take(struct unit_result *result, struct samples *samples, size_t count);

/* The series of a mode, lens and kind of process; where that is an own process, it is the kernel's.
 * NULL: there is none. */
struct sample_buffer *unit_result_series(const struct unit_result *result, enum mode mode,
                                         enum lens lens, bool staged, const char *kernel);

/* Adds a series over the arms of these names. */
void unit_result_start(struct unit_result *result, enum mode mode, enum lens lens, enum place place,
                       const char (*arms)[RUNDIR_NAME], int arm_count);

/* Adds what a visit has been like to the row of its mode. */
void unit_result_add_condition(struct unit_result *result, const struct condition_row *row);

/* A job begins; or it has failed, and what it has found of that kernel (NULL: of nobody) is all of
 * it that stays. */
void unit_result_begin(struct unit_result *result);
void unit_result_undo(struct unit_result *result, const char *kernel);

/* Forgets what was timed by these lenses (bits): of all arms (NULL), or of a kernel: its column on the
 * stage, and all that its own processes have timed. */
void unit_result_drop(struct unit_result *result, int lenses, const char *kernel);

/* Forgets all that was timed. */
void unit_result_drop_times(struct unit_result *result);

void unit_result_free(struct unit_result *result);

#endif
