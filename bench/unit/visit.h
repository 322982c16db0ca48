/* One visit to a unit: the arms that have passed, timed in processes that are new to them. */
#ifndef BENCH_UNIT_VISIT_H
#define BENCH_UNIT_VISIT_H

#include "bench/context/unit_context.h"

/* Whether there is a point in a visit: the candidate has passed, or there is none and another arm
 * has, and a mode is to be timed. */
bool visit_is_wanted(struct unit_context *context);

/* Makes the visit of number context->course.visit, and leaves the number of the next one there. In
 * the first, the unit's runner holds what has been checked in it.
 *
 * What fails has its outcome, and nothing of the visit is kept; it is made again without that arm:
 * - the candidate: it has no times, and no visit is wanted any more;
 * - the earlier release, or both together in one process: the earlier release is out;
 * - a library: the others are timed from the first visit on;
 * - a process that the system has killed: nobody, the first time.
 * A candidate whose calls are not what was recorded of it any more keeps its times by call. 0 or
 * TROUBLE. */
int visit_make(struct unit_context *context);

/* Sets up the arms that have passed in a fresh runner, in another order than in other visits,
 * unchecked, with the algorithms they had. Where the unit's runner holds already what was checked in
 * it, the earlier release alone. *lost: a library has failed that no kernel was beside. Returns OK,
 * the outcome of *failed, or TROUBLE. */
int visit_set_up(struct unit_context *context, struct arm_state **failed, bool *lost);

/* Whether a process of the unit was killed by the system, as it does where memory is short. Nobody
 * is accused of it the first time: what was done is to be done anew, and no other process is kept
 * beside it. */
bool visit_was_killed(struct unit_context *context);

#endif
