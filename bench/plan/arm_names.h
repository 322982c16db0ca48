/* What kernels under test may be called, so that a run can tell its arms apart. */
#ifndef BENCH_PLAN_ARM_NAMES_H
#define BENCH_PLAN_ARM_NAMES_H

#include "bench/process/machine.h"
#include "candidates/set/set.h"

/* Refuses kernels that are called like what is measured beside them or derived from it: one of the
 * libraries, the faster of its layouts, the earlier release, a control, a column of the samples. 0,
 * or -1 after error(), which names the file. */
int arm_names_check(const struct candidate_set *set, const struct machine_baseline *libraries,
                    int count);

#endif
