/* What the parts of gate_rows.c share while they make a gate's rows: gate_rows.c adds the rows,
 * rows_decide.c decides those that can be compared, rows_must.c compares them with the baselines
 * that they must beat, and rows_known.c examines the list of known regressions. */
#ifndef REPORTS_GATE_ROWS_MAKING_H
#define REPORTS_GATE_ROWS_MAKING_H

#include "reports/gate/gate_decide.h"
#include "reports/gate/gate_read.h"
#include "timing/moderation.h"

/* Something that a row is held against: the earlier kernel, or a library that it must beat. */
struct rows_trial {
    size_t row;
    bool must;
    const struct round_speed *screening, *confirming; /* confirming NULL: not measured again */
};

struct rows_making {
    const struct gate_case *of;
    const struct gate_policy *policy;
    struct gate *gate;
    struct rows_trial *trials;
    struct gate_evidence *evidence;  /* of the trials */
    struct gate_decision *decisions; /* of the trials, once they are decided */
    size_t trial_count;
    size_t compared;                         /* trials against the earlier kernel */
    size_t unmeasured;                       /* as gate_rows_about */
    struct moderation *stored;               /* of base.speeds, the variance of each */
    size_t apart, unbuilt;                   /* as gate_rows_about */
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

/* What measuring each row took, in both stages. */
void rows_put_wall_seconds(const struct rows_making *making);

/* Adds a trial for each baseline that the row, the last one of the gate, must beat. */
void rows_add_must(struct rows_making *making, const struct round_speed *like);

/* What the decided trials against baselines make of their rows, and a warning where one lacks. */
void rows_judge_must(struct rows_making *making);

/* The variances of all stored speeds, each moderated by those of its mode, lens and reference. 0,
 * or -1 after error() for want of memory. */
int rows_moderate_stored(struct rows_making *making);

/* Warns of entries that have expired or cover nothing. */
void rows_examine_known(const struct rows_making *making);

#endif
