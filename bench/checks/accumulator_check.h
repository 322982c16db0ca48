/* The probe of what an arm keeps its sums in (correctness/accumulator/probe.h). */
#ifndef BENCH_CHECKS_ACCUMULATOR_CHECK_H
#define BENCH_CHECKS_ACCUMULATOR_CHECK_H

#include "bench/jobs/unit_context.h"

/* Which accumulator the arm really has; a candidate that keeps less than it claims gets the outcome
 * PRECISION, one whose product no accumulator explains INEXACT. Returns the outcome or TROUBLE. */
int accumulator_check(struct unit_context *context, struct arm_state *arm);

/* The same of a product of its recorded calls, of the inputs that accumulator_seed makes. Of those
 * inputs its own process has made a product before. Returns the outcome. */
int accumulator_recorded(struct unit_context *context, struct arm_state *arm, const uint16_t *c);
uint64_t accumulator_seed(const struct unit_context *context);

/* The same of a kernel that deviates, to say what it may come of: its outcome stays what it is
 * unless the call fails. Returns the outcome or TROUBLE. */
int accumulator_explain(struct unit_context *context, struct arm_state *arm);

#endif
