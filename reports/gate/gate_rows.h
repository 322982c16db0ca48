/* How a gate or a comparison is filled: its runs, then the rows that come of them, by queries. */
#ifndef REPORTS_GATE_GATE_ROWS_H
#define REPORTS_GATE_GATE_ROWS_H

#include "reports/gate/gate.h"

/* Opens the run of gate->call and what it is compared with, and loads them; judged: verified against its samples, and
 * with its confirmation, where there is one. 0, or -1 after error(); gate->reason then says it in a
 * sentence. */
int gate_read(struct gate *gate, bool judged);

/* The earlier run that call->against names, for a run of that fingerprint and on those cards ("":
 * not known) that may not be there yet; its set keeps its name. 0, or -1 after error(); base->why
 * then says it in a sentence. */
int gate_base_find(const struct gate_call *call, const struct fingerprint *here, const char *cards,
                   struct gate_base *base);

/* Why the run's controls failed, in words; NULL where they did not. */
const char *gate_run_unfit(const struct rundir *run);

/* Loads a run into gate->db, which is open: `run`, its `confirm`, or `base`, what it is compared with. */
void gate_load_run(const struct gate *gate, const char *name, const struct rundir *run);

/* Loads what is known beside the runs: `asked` (the plan and the policy), and the tables of the policy:
 * `classes`, `musts`, whose classes are a bit each (0: all), and `known`
 * regressions. */
void gate_load_policy(sqlite3 *db, const struct gate_policy *policy);
void gate_load(const struct gate *gate);

/* Makes the tables of the rows of what was read:
 *
 *     judged           modes, each with a lens
 *     units            kernels on shapes, and what became of them
 *     served           how many shapes have a kernel
 *     made             rows, which nobody has judged
 *     placed, wanted   size class and known regression of each of these, and what it must beat
 *     evidence         each row against each thing that it is held against
 *     weighed          rows, with what the evidence shows
 *     unfit            why no time can be trusted
 *     gate_rows        rows in order, as they stay
 *     lines            means of the set (gate_rows_sum)
 *
 * Sets units, suspects and coverage. */
void gate_rows_make(struct gate *gate);
void gate_rows_sum(struct gate *gate);

/* The first verdict on the whole that holds, with its reason; fills the table `warnings`. */
void gate_verdict_find(struct gate *gate);

#endif
