/* What of a plan is measured in a time: `gate --budget`.
 *
 * All units are put in the order of their value. Their first visits, which have the checks, are
 * begun in that order for as long as is the share of one visit in the time; those that were begun
 * get the others, which take no longer. BUDGET_SCREENING of the time is for the screening, what is
 * left for the second stage, whose suspects are begun likewise. Compiling is not counted. */
#ifndef BENCH_RUN_BUDGET_H
#define BENCH_RUN_BUDGET_H

#include "bench/run/run.h"
#include "reports/gate/gate.h"

#define BUDGET_SCREENING 0.75

/* Ids of units. */
struct budget_ids {
    char **list;
    size_t count;
};

struct budget {
    double seconds;         /* of the whole gate */
    const char *weights;    /* a file: how often each shape is called; NULL: as the suite says, or
                             * all alike */
    double started;         /* on clock_seconds, less what earlier sessions took */
    double compile_seconds; /* since then; not counted */
    struct budget_ids units, left_out;    /* the most valuable first: those that are measured, and
                                           * the others */
    struct budget_ids again, unconfirmed; /* the same of suspects */
};

/* Begins as many of the plan's units as the screening has time for, or takes those of the run that
 * is resumed, and makes them the plan's (plan->only, plan->left_out); call is then to be gone on
 * with. The budget has seconds and weights; budget_free frees it in any case. Returns an exit
 * status. */
int budget_screen(struct budget *budget, struct plan *plan, struct run_call *call);

/* The same of the second stage, whose units are the suspects, in what time is left. Where not one
 * can be begun, plan->only_count is 0, and there is no run. */
int budget_confirm(struct budget *budget, struct plan *plan, struct run_call *call);

/* RUN/budget.json: what the gate has taken, and which suspects were left out. 0, or -1 after
 * error(). */
int budget_end(const struct budget *budget, const char *run);

void budget_free(struct budget *budget);

#endif
