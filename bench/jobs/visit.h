/* One visit to a unit: the arms that have passed, timed in processes that are new to them. */
#ifndef BENCH_JOBS_VISIT_H
#define BENCH_JOBS_VISIT_H

#include "bench/jobs/unit_context.h"

/* Whether there is a point in a visit: the candidate has passed, or there is none and another arm
 * has, and a mode is to be timed. */
bool visit_is_wanted(struct unit_context *context);

/* Makes the visit of number context->visit, and leaves the number of the next one there. Its jobs
 * are an own process for each kernel under test, if this visit has them, a new recording of kernels
 * that tune themselves, and the stage. Each adds to the unit's result. Where one fails, what it has
 * added goes, the outcome of the arm stays, and:
 * - the candidate: it has no times, and no visit is wanted any more;
 * - an earlier release: it has no times. The stage is visited again without it;
 * - a library: the others are timed from the first visit on;
 * - a process that the system has killed: nobody has failed the first time, and the job is done
 *   again.
 *
 * A kernel whose calls are not what was recorded of it any more keeps its times by call. 0 or
 * TROUBLE. */
int visit_make(struct unit_context *context);

/* Whether a process of the unit was killed by the system, as it does where memory is short. Nobody
 * is accused of it the first time: what was done is to be done anew, and no other process is kept
 * beside it. */
bool visit_was_killed(struct unit_context *context);

#endif
