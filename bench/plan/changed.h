/* What differs between two sets of kernels, by content. */
#ifndef BENCH_PLAN_CHANGED_H
#define BENCH_PLAN_CHANGED_H

#include "bench/plan/plan.h"

/* Leaves in both sets of the plan the kernels whose source differs from that of the earlier set,
 * and those that only one of the sets has, and in the suite the shapes that these serve. Where any
 * other file beside the kernels differs (a header, gemmgate.ini), every kernel does. *carried is
 * how many kernels were left out. 0, or -1 after error(). */
int changed_keep(struct plan *plan, size_t *carried);

#endif
