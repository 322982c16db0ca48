/* Timing the arms of a unit that have passed: warm-up, blocks, and when to stop. */
#ifndef BENCH_JOBS_MEASURE_H
#define BENCH_JOBS_MEASURE_H

#include "bench/jobs/unit_context.h"

/* Times every wanted mode by these lenses (bits), in the process in hand, as their `visit`-th
 * visit, into the result's series and conditions rows. Returns an outcome with *failed set to the
 * arm concerned unless OK, or TROUBLE. */
int measure_visit(struct unit_context *context, int visit, int lenses, struct arm_state **failed);

/* The lenses (bits) that need no more visits on the stage: after the least, every ratio's interval
 * is as narrow as --precision wants, in every mode; or those that the first visit has not taken. */
int measure_known(const struct unit_context *context);

#endif
