/* The verdict on a merge. It reads run directories and does nothing else with the outside;
 * bench/run/gate_run.c measures.
 *
 * A gate has two steps. Screening only clears: every shape is visited policy->screening_visits
 * times, in RUN. A row is a shape, candidate, mode and lens. A row is cleared when its 95 % interval
 * lies above 1 / (1 + margin); all others, and those that were disturbed, are suspects.
 * Confirmation measures suspects again, each policy->confirm_visits times in fresh processes, in
 * RUN/confirm. For a suspect only these visits count. It is `slower` when Student's t of its visits
 * against its margin is significant after Holm. Else it is cleared by their interval, or
 * `undecided`. Cleared rows are `faster` where fresh visits confirm it,
 * `maybe-faster` where verdict_of says so, else `same`. A library that must be beaten is a
 * further test of the row, against a margin of nothing. A row that is not known to be slower is
 * never taken to be equal. */
#ifndef REPORTS_GATE_GATE_H
#define REPORTS_GATE_GATE_H

#include <stdbool.h>
#include <stddef.h>

#include "reports/gate/gate_result.h"
#include "reports/run/fingerprint.h"

/* Tells before a run of that fingerprint is measured whether there is anything to compare it with.
 * If conditions differ, it gives a warning(): the gate still finds wrong kernels, and the run may
 * be promoted. 0, or -1 after error() if the gate could only end with GATE_ERROR. */
int gate_foresee(const struct gate_call *call, const struct fingerprint *here);

/* The units of RUN that need confirmation (none, with a warning(), where its controls failed), as
 * ids of plan.json (rundir unit ids; caller frees the array and its strings with
 * gate_suspects_free), and how many visits. 0, or -1 after error(). */
struct gate_suspects {
    char **ids;
    size_t count, visits;
    double seconds; /* that so many visits of one of them take, by what visits have taken */
};
int gate_screen(const struct gate_call *call, struct gate_suspects *suspects);
void gate_suspects_free(struct gate_suspects *suspects);

/* Reads RUN and, if it is there, RUN/confirm, verifies both against their samples, and judges. A
 * fault of ours, a broken or edited file, or an incomplete run gives the verdict GATE_ERROR with
 * the reason (and an error()). The caller frees with gate_free. */
void gate_judge(const struct gate_call *call, struct gate *gate);

#endif
