/* The verdict on a merge; and what a gate or a comparison (compare.h) is: what it reads, a database of its rows, and of a
 * gate a verdict on the whole. It reads run directories and does nothing else with the outside;
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

#include <limits.h>
#include <sqlite3.h>
#include <stdbool.h>
#include <stddef.h>

#include "reports/gate/gate_policy.h"
#include "reports/run/opened.h"

/* What a gate is asked; a comparison has run, against and policy. */
struct gate_call {
    const char *run;
    const char *against;     /* a store or a run directory; NULL: the arm RUNDIR_PREVIOUS, if any */
    const char *store_entry; /* which of the store; NULL: the newest that fits */
    const struct gate_policy *policy;
    const char *policy_file; /* where it is from; NULL: the defaults */
    bool for_release;        /* judged by policy->on_release */
    const char *renamed;     /* bench/base/renames.h, for kernels of another run; NULL: none */
    bool absolute;           /* where there is nothing to compare with, the other rules decide */
};

/* The verdict of a gate on the whole, by the precedence of bench/base/error.h: interrupted, error,
 * wrong, environment, not-comparable, regression, coverage, inconclusive, pass; exit status 75, 2,
 * 6, 5, 4, 1, 1, 3, 0. */
enum gate_verdict {
    GATE_INTERRUPTED,
    GATE_ERROR,
    GATE_VERDICT_WRONG,
    GATE_VERDICT_ENVIRONMENT,
    GATE_NOT_COMPARABLE,
    GATE_REGRESSION,
    GATE_COVERAGE, /* no kernel is worse: fewer shapes have one than the policy asks for */
    GATE_INCONCLUSIVE,
    GATE_PASS,
    GATE_VERDICT_COUNT
};
const char *gate_verdict_word(enum gate_verdict verdict);
int gate_verdict_exit(enum gate_verdict verdict);
enum gate_verdict gate_verdict_of(const char *word); /* GATE_VERDICT_COUNT: there is none */

/* Whether the word is of a verdict on the kernels: not of what kept a gate from one (interrupted,
 * error, environment, not-comparable), nor an unknown one. */
bool gate_verdict_judged(const char *word);

/* What the run is compared with: its own arm RUNDIR_PREVIOUS, or an earlier run. */
struct gate_base {
    bool stored;
    bool comparable;        /* false: why says how the two differ */
    bool other_card;        /* it was measured on another card of the model */
    struct rundir run;      /* the earlier one; its pairs call its set as the run does */
    char folder[PATH_MAX];  /* of a store's */
    char name[RUNDIR_TEXT]; /* of what it is; "" where there is nothing */
    char why[RUNDIR_TEXT];
};

struct gate {
    struct gate_call call;
    struct rundir run, confirm; /* confirm: empty where there is no confirmation */
    char confirm_folder[PATH_MAX];
    struct gate_base base;
    bool compares;       /* a comparison: every lens has rows, and nothing is confirmed */
    const char *library; /* through which two runs are compared; NULL: the best that both have */

    sqlite3 *db; /* with the rows (gate_schema.sql), and the summary lines (lines.h) of each mode
                      * and lens: class `all`, then the size classes */
    size_t suspects; /* tests of the confirmation */
    size_t units;    /* shapes x candidates of the plan */
    size_t carried;  /* kernels on shapes that are as they were, and were not measured */
    double
        coverage; /* NaN: nothing was measured. Share of the plan's shapes with an honest kernel */

    enum gate_verdict verdict;
    char reason[RUNDIR_TEXT]; /* of the verdict, one sentence */
};

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

/* Makes the gate's database, without rows. */
void gate_open(struct gate *gate);

void gate_free(struct gate *gate);

#endif
