/* Carries out a plan, visit by visit and unit by unit, into a run directory. */
#ifndef BENCH_RUN_RUN_H
#define BENCH_RUN_RUN_H

#include <stdbool.h>

#include <jansson.h>

#include "bench/plan/plan.h"
#include "candidates/build/build.h"

struct gate_call;

/* How a plan is carried out, which has no part in what comes out. */
struct run_call {
    const struct build_options *build;
    const char *run; /* the folder */
    bool resume;
    const json_t *command_line; /* kept in the run directory, command.json; NULL: not */
    int shard, shards;          /* only the shard-th of so many parts, from 1; 0: the whole */

    const struct gate_call *gate; /* asked of the run, see gate_foresee; NULL: none */
    bool *begun; /* set once the folder is this call's to write into; NULL: not asked */
};

/* Carries out the plan. Returns an exit status. */
int run_plan(const struct plan *plan, const struct run_call *call);

/* gate_run.c: carries out the plan into call->run and, where screening leaves suspects, fresh
 * visits of these into its folder `confirm`. A shard is not screened: what its rows are depends on
 * the others. Returns an exit status: EXIT_PASS, or what ended the work. */
int gate_run(const struct plan *plan, const struct run_call *call, const struct gate_call *gate);

#endif
