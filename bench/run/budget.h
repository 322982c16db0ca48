/* What of a plan fits into a time: `gate --budget`.
 *
 * A unit costs its first round, with the checks, and its later rounds. Both are measured beforehand
 * on at most three units (the smallest, the middle and the largest product), two rounds each, in
 * RUN.pilot, which is removed then. Between them they are interpolated over the logarithm of the
 * product's size. BUDGET_SCREENING of the time is for the screening; units are taken in the order
 * of their value while they fit. The second stage has what is left, at what each unit's rounds have
 * cost. Compiling is not counted. */
#ifndef BENCH_RUN_BUDGET_H
#define BENCH_RUN_BUDGET_H

#include "bench/run/run.h"
#include "reports/gate/gate.h"

#define BUDGET_SCREENING 0.75

struct budget_cost {
    char unit[160];
    double first, later; /* seconds; later: sum of `rounds` of them */
    int rounds;
};

struct budget {
    double seconds;      /* of the whole gate */
    const char *weights; /* a file: how often each shape is called; NULL: as the suite says, or
                          * all alike */
    double started;      /* on clock_seconds, less what earlier sessions took, more compiling */
    struct budget_cost *costs;
    size_t cost_count;
    char **units, **left_out; /* ids: those that are measured, the most valuable first */
    size_t unit_count, left_out_count;
    size_t unseen;      /* kernels that have changed and are measured on no shape */
    char **unconfirmed; /* suspects that were left out of the second stage */
    size_t unconfirmed_count;
};

/* Chooses the plan's units (plan->only, plan->left_out), or takes those of the run that is resumed.
 * The budget has seconds and weights; budget_free frees it in any case. Returns an exit status. */
int budget_choose(struct budget *budget, struct plan *plan, const struct run_call *call);

/* What measuring tells it, by run_call.heard. */
void budget_hear(void *budget, const char *unit, int round, double seconds);

/* Leaves of the suspects those that can be measured in the time that is left, the most valuable
 * ones. 0, or -1 after error(). */
int budget_confirm(struct budget *budget, const char *run, struct gate_suspects *suspects);

/* RUN/budget.json: what the gate has taken, and which suspects were left out. 0, or -1 after
 * error(). */
int budget_end(const struct budget *budget, const char *run);

void budget_free(struct budget *budget);

#endif
