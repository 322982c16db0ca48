/* Timing the arms of a unit that have passed: warm-up, blocks, and when to stop. */
#ifndef BENCH_UNIT_MEASURE_H
#define BENCH_UNIT_MEASURE_H

#include "bench/context/unit_context.h"

/* Times every wanted mode as round `round` of the unit, in the runner in hand, into the result's
 * series and conditions rows. Returns an outcome with *failed set to the arm concerned unless OK,
 * or TROUBLE. */
int measure_round(struct unit_context *context, int round, struct arm_state **failed);

#endif
