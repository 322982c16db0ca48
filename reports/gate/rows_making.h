/* What the parts of gate_rows.c share while they make a gate's rows: gate_rows.c adds the rows, by
 * what rows_making.c begins; rows_decide.c decides those that can be compared, rows_must.c compares
 * them with the baselines that they must beat, and rows_known.c examines the list of known
 * regressions. */
#ifndef REPORTS_GATE_ROWS_MAKING_H
#define REPORTS_GATE_ROWS_MAKING_H

#include "reports/gate/gate_decide.h"
#include "reports/gate/gate_read.h"
#include "reports/pairs/estimate.h"
#include "reports/run/rundir.h"

/* Something that a row is held against: the earlier kernel, or a library that it must beat. */
struct rows_trial {
    size_t row;
    bool must;
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
    size_t apart, unbuilt, starved, failed;  /* as gate_rows_about */
    const char *references[SAMPLES_COLUMNS]; /* what stored runs are compared through, the best
                                              * first */
    size_t reference_count;
    char (*lenses)[RUNDIR_NAME]; /* judged in each of the plan's modes */
};

/* The rounds that decide the trial of that number. */
const struct pair *rows_deciding(const struct rows_making *making, size_t trial);

/* What these make of the row, but for its status. */
void rows_put_decision(const struct rows_making *making, size_t trial, struct gate_row *row);

/* How long a list of the run's plan is, and the i-th name in it; "" where it is no text. */
size_t rows_list_length(const struct rows_making *making, const char *key);
const char *rows_list_name(const struct rows_making *making, const char *key, size_t i);

/* What became of the kernel in the unit; NULL: nothing. */
const struct check_row *rows_find_check(const struct rows *rows, struct shape shape,
                                        const char *candidate, const char *kernel);

/* A new row about the kernel; NULL after error(). */
struct gate_row *rows_begin(struct rows_making *making, struct shape shape, const char *candidate,
                            enum gate_status status);
int rows_add_missing(struct rows_making *making, struct shape shape, const char *candidate,
                     const char *why);

/* Rows of what is not there: removed from the set; timed by the earlier run and not served now. 0,
 * or -1 after error(). */
int rows_add_removed(struct rows_making *making);
int rows_add_unserved(struct rows_making *making);

/* Marks the shape's place in the plan. Looks from *at on, where the last one was: both are in about
 * the same order. */
void rows_mark_served(const struct rows_making *making, struct shape shape, bool *served,
                      size_t *at);

/* A shape is missing where nothing serves it. Where another kernel does, what may be lost is speed,
 * and nothing has shown that it is not. Returns how many such there are. */
size_t rows_ease_missing(struct gate *gate);

/* Holds the last row of the gate against something: screened, and confirmed where the second stage
 * has measured it again. stored: of another run; NULL: none. */
void rows_add_trial(struct rows_making *making, const struct pair *screening, bool must,
                    double margin, const struct pair *stored);

/* What became of every trial. */
void rows_decide(struct rows_making *making);

/* What measuring each row took, in both stages. */
void rows_put_wall_seconds(const struct rows_making *making);

/* Adds a trial for each baseline that the row, the last one of the gate, must beat. */
void rows_add_must(struct rows_making *making, const struct pair *like);

/* What the decided trials against baselines make of their rows, and a sentence where all are
 * beaten. */
void rows_judge_must(struct rows_making *making, char beaten[RUNDIR_TEXT]);

/* Warns of entries that have expired or cover nothing. */
void rows_examine_known(const struct rows_making *making);

#endif
