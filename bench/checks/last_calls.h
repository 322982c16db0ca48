/* The last calls of the process that has timed a unit, watched more closely than timed calls can
 * be. */
#ifndef BENCH_CHECKS_LAST_CALLS_H
#define BENCH_CHECKS_LAST_CALLS_H

#include "bench/checks/findings.h"

/* In the last own process of a kernel, on a GPU: its calls are recorded, and in that of the candidate
 * those of the libraries, of which it is told which launch kernels that may begin
 * early. *failed is the kernel that did what the policy rejects. Returns OK, UNRECORDED or TROUBLE.
 */
int last_calls_watch(struct unit_context *context, struct arm_state **failed);

#endif
