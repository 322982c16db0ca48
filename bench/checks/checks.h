/* Checking the arms of a unit: set-up, products and facts once, before anything is timed. What is
 * found is in context->checked, and in the result's rows of audits. */
#ifndef BENCH_CHECKS_CHECKS_H
#define BENCH_CHECKS_CHECKS_H

#include "bench/jobs/unit_context.h"

/* The baselines of the plan, in the unit's runner. Whatever becomes of one is its outcome; one that
 * takes the runner down leaves the others in a fresh one. 0 or TROUBLE. */
int checks_libraries(struct unit_context *context);

/* All checks and audits of the candidate or its earlier release (UNIT_CANDIDATE, UNIT_PREVIOUS), in the
 * unit's runner, or a new one if there is none. Whatever becomes of it is its outcome. 0 or
 * TROUBLE. */
int checks_kernel(struct unit_context *context, int which);

#endif
