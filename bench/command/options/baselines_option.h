/* What --baselines says. */
#ifndef BENCH_COMMAND_OPTIONS_BASELINES_OPTION_H
#define BENCH_COMMAND_OPTIONS_BASELINES_OPTION_H

#include "bench/plan/plan.h"
#include "bench/process/machine.h"
#include "candidates/set/set.h"
#include "reports/gate/gate_policy.h"

/* What a gate and a comparison need, names with commas: the libraries that must be beaten, in both
 * layouts where the faster one is meant, and the plainest pair for the controls. */
#define BASELINES_TEXT (WIRE_ARMS * 64)
void baselines_usual(const struct gate_policy *judged, bool host, char text[BASELINES_TEXT]);

/* "all", or names with commas, into the plan, whose device, accumulator and set are known. NULL:
 * all, or, where the run is to be judged by a policy, what that needs. Refuses kernels that are
 * called like a library, measured beside them now or not: reports tell them apart by their names.
 * 0, or -1 after error(). */
int baselines_option(const char *text, const struct gate_policy *judged, struct plan *plan);

/* Refuses kernels that are called like what is measured beside them or derived from it: one of the
 * libraries, the faster of its layouts, the earlier release, a control, a column of the samples. 0,
 * or -1 after error(), which names the file. */
int arm_names_check(const struct candidate_set *set, const struct wire_baseline *libraries,
                    int count);

#endif
