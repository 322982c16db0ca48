/* The check of numbers that standard normals do not have (correctness/numbers/values.h). */
#ifndef BENCH_CHECKS_VALUES_CHECK_H
#define BENCH_CHECKS_VALUES_CHECK_H

#include "bench/jobs/unit_context.h"

/* Calls of a kernel that is right. */
#define VALUES_CALLS 5

/* Asks the arm, a candidate that has passed the check of normal inputs. What a library of this run
 * gets wrong is not asked of it: the row's note says so. The outcome VALUES is the kernel's fault.
 * Returns the outcome or TROUBLE. */
int values_check(struct unit_context *context, struct arm_state *arm);

#endif
