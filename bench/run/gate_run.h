/* What a gate measures: the run, and then its suspects once more. */
#ifndef BENCH_RUN_GATE_RUN_H
#define BENCH_RUN_GATE_RUN_H

#include "bench/run/run.h"
#include "reports/gate/gate.h"

/* Carries out the plan into call->run and, where screening leaves suspects, fresh rounds of these
 * into its folder `confirm`. A shard is not screened: what its rows are depends on the others.
 * Returns an exit status: EXIT_PASS, or what ended the work. */
int gate_run(const struct plan *plan, const struct run_call *call, const struct gate_call *gate);

#endif
