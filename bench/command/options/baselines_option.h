/* --baselines: the libraries of a run, and the names that no kernel may have beside them. */
#ifndef BENCH_COMMAND_OPTIONS_BASELINES_OPTION_H
#define BENCH_COMMAND_OPTIONS_BASELINES_OPTION_H

#include "bench/plan/plan.h"
#include "bench/process/machine.h"
#include "candidates/set/set.h"
#include "reports/gate/gate_policy.h"

/* Puts the libraries that a gate and a comparison need into the plan. These are the plainest pair, for
 * the controls, and the libraries that must be beaten: both layouts of an X-max. 0, or -1 after
 * error(). */
int baselines_needed(struct plan *plan, const struct wire_baseline *known, int count,
                     const struct gate_policy *judged);

/* Puts the libraries of the text, "all" or names with commas, into the plan, whose device,
 * accumulator and set are known. NULL: all of them, or where a policy judges the run those that it
 * needs. Refuses kernels that are called like a library, even one that is not measured now, since
 * reports tell them apart by their names. 0, or -1 after error(). */
int baselines_option(const char *text, const struct gate_policy *judged, struct plan *plan);

/* Refuses a kernel that has the name of a library, of the faster of its layouts, of the earlier
 * release, of a control, or of a column of the samples. 0, or -1 after error(), which names the
 * file. */
int arm_names_check(const struct candidate_set *set, const struct wire_baseline *libraries,
                    int count);

#endif
