/* What differs between two sets of kernels, as they are compiled. */
#ifndef BENCH_RUN_CHANGED_H
#define BENCH_RUN_CHANGED_H

#include "bench/plan/plan.h"
#include "bench/run/run.h"

/* Compiles both sets of the plan, and leaves in plan->only the units whose kernel's compiled file, or
 * the way in which it is called, is not that of the earlier set; in the suite their shapes.
 * plan->carried is how many units were left out. All stay where nothing is left out, or where kernels
 * are gone and no other has changed. Returns an exit status, after error() if it is not EXIT_PASS. */
int changed_keep(struct plan *plan, const struct run_call *call);

#endif
