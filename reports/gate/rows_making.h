/* What the parts of gate_rows.c share while they make a gate's rows: gate_rows.c adds the rows,
 * rows_decide.c decides those that can be compared, rows_must.c compares them with the baselines
 * that they must beat, and rows_known.c examines the list of known regressions. */
#ifndef REPORTS_GATE_ROWS_MAKING_H
#define REPORTS_GATE_ROWS_MAKING_H

#include "reports/gate/gate_decide.h"
#include "reports/gate/gate_read.h"

/* A row that has something to be compared with. */
struct rows_trial {
    size_t row;
    const struct round_speed *screening, *confirming; /* confirming NULL: not measured again */
};

struct rows_making {
    const struct gate_case *of;
    const struct gate_policy *policy;
    struct gate *gate;
    struct rows_trial *trials;
    struct gate_evidence *evidence; /* of the trials */
    size_t trial_count;
    size_t apart;                            /* as gate_rows_about */
    const char *references[SAMPLES_COLUMNS]; /* what stored runs are compared through, the best
                                              * first */
    size_t reference_count;
    char (*lenses)[RUNDIR_NAME]; /* judged in each of the plan's modes */
};

/* t_reference / t_candidate of ln(t_candidate / t_reference) and its ends; an end that is infinite
 * is not known. */
void rows_put_ratio(struct gate_row *row, double mean, double low, double high);

/* Whether more of its blocks were disturbed than may be. */
bool rows_is_disturbed(const struct round_speed *speed);

/* What became of every trial. 0, or -1 after error() for want of memory. */
int rows_decide(struct rows_making *making);

/* Holds the rows against the baselines that they must beat. Returns how many rows lack one. */
size_t rows_judge_must(struct rows_making *making);

/* Warns of entries that have expired or cover nothing. */
void rows_examine_known(const struct rows_making *making);

#endif
