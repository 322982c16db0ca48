/* The verdict on a merge. Pure but for reading run directories: measuring is
 * bench/run/gate_run.c's.
 *
 * A gate has two stages. Screening: policy->screening_rounds fresh processes of every shape, in
 * RUN. A row (shape, candidate, mode, lens) that this shows to be at most its margin slower, the 95
 * % interval of Student's t over the rounds lying above 1 / (1 + margin), is cleared. All others
 * are suspects, and are measured again in RUN/confirm: fresh processes, and as many rounds as Holm
 * over the suspects needs (significance_rounds), at least policy->confirm_rounds. Only these count
 * for them. A suspect is `slower` when the exact signed-rank test of its rounds against its margin
 * is significant after Holm at policy->alpha, cleared as above, or `undecided`. Cleared rows are
 * `faster` where comparison_judge says so, else `same`. What is not known to be slower is never
 * taken to be equal.
 */
#ifndef REPORTS_GATE_GATE_H
#define REPORTS_GATE_GATE_H

#include <stdbool.h>
#include <stddef.h>

#include "reports/gate/gate_result.h"
#include "reports/run/fingerprint.h"

/* Before a run of that fingerprint is measured: whether there is anything to compare it with. Where
 * conditions differ that is a warning(), for the gate still finds wrong kernels, and the run may be
 * promoted. 0, or -1 after error() where the gate could say nothing but GATE_ERROR. */
int gate_foresee(const struct gate_call *call, const struct fingerprint *here);

/* The units of RUN that need confirmation, as ids of plan.json (rundir unit ids; caller frees the
 * array and its strings with gate_suspects_free), and how many rounds. 0, or -1 after error(). */
struct gate_suspects {
    char **ids;
    size_t count, rows, rounds;
};
int gate_screen(const struct gate_call *call, struct gate_suspects *suspects);
void gate_suspects_free(struct gate_suspects *suspects);

/* Reads RUN and, if it is there, RUN/confirm, verifies both against their samples, and judges. A
 * fault of ours, a broken or edited file or a run that is not complete is verdict GATE_ERROR with
 * the reason (and an error()); 0 always but without memory. The caller frees with gate_free. */
int gate_judge(const struct gate_call *call, struct gate *gate);
void gate_free(struct gate *gate);

#endif
