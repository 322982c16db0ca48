/* The last calls of the process that has timed a unit, watched more closely than timed calls can
 * be. */
#ifndef BENCH_CHECKS_LAST_CALLS_H
#define BENCH_CHECKS_LAST_CALLS_H

#include "bench/context/unit_context.h"

/* After the last visit, on a GPU: the calls of kernels under test are recorded in the process that
 * was timed, and those of the libraries, of which it is told which launch kernels that may begin
 * early. *failed is the kernel that did what the policy rejects. Returns OK, UNRECORDED or TROUBLE.
 */
int last_calls_watch(struct unit_context *context, struct arm_state **failed);

#endif
