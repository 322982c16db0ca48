/* The controls of a visit: a library beside itself, and beside itself with two known delays. */
#ifndef BENCH_UNIT_CONTROL_ARMS_H
#define BENCH_UNIT_CONTROL_ARMS_H

#include "bench/context/unit_context.h"

/* Sets them up in the unit's runner: twins of the first baseline that has passed. Returns an
 * outcome, with *failed the kernel under test in whose process a library could not be set up again,
 * or TROUBLE. */
int control_arms_add(struct unit_context *context, struct arm_state **failed);

#endif
