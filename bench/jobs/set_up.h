/* Setting up the arms of a visit in its process, unchecked, with the algorithms they had. */
#ifndef BENCH_JOBS_SET_UP_H
#define BENCH_JOBS_SET_UP_H

#include "bench/jobs/unit_context.h"

/* The arms that take part in the process in hand, in the order of the visit: libraries before
 * kernels under test, as in the checks, so that no kernel can do anything to a library's set-up. On
 * the stage a kernel is its recording. Then the controls. *lost: a library has failed. Returns OK,
 * the outcome of *failed, or TROUBLE. */
int set_up_arms(struct unit_context *context, struct arm_state **failed, bool *lost);

/* The controls alone: twins of the first library that has passed, beside itself and with two known
 * delays. *failed is the kernel under test in whose process a library could not be set up again. */
int set_up_controls(struct unit_context *context, struct arm_state **failed);

#endif
