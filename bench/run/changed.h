/* What differs between two sets of kernels, as they are compiled. */
#ifndef BENCH_RUN_CHANGED_H
#define BENCH_RUN_CHANGED_H

#include "bench/plan/plan.h"
#include "bench/run/run.h"

/* Compiles both sets of the plan, and leaves in both the kernels whose compiled file, or the way in
 * which it is called, is not that of the earlier set, and those that only one of the sets has; in
 * the suite the shapes that these serve. plan->carried is how many kernels were left out. Returns an
 * exit status, after error() if it is not EXIT_PASS. */
int changed_keep(struct plan *plan, const struct run_call *call);

#endif
