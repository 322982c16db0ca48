/* What the parts that make the rows of a gate share: making.c adds the rows that
 * were timed, making_absent.c those that are not there, and making_judge.c says what became of each,
 * by its visits, by the baselines that it must beat and by the known regressions. */
#ifndef REPORTS_GATE_MAKING_H
#define REPORTS_GATE_MAKING_H

#include "reports/gate/gate_decide.h"
#include "reports/gate/gate_rows.h"

/* Something that a row is held against: the earlier kernel, or a library that it must beat. */
struct making_trial {
    size_t row;
    bool must;
};

struct making {
    const struct gate_case *of;
    const struct gate_policy *policy;
    struct gate *gate;
    struct making_trial *trials;
    struct gate_evidence *evidence;  /* of the trials */
    struct gate_decision *decisions; /* of the trials, once they are decided */
    size_t trial_count;
    struct gate_rows_about *about;
    const char *references[SAMPLES_COLUMNS]; /* what stored runs are compared through, the best
                                              * first */
    size_t reference_count;
    char (*lenses)[RUNDIR_NAME]; /* judged in each of the plan's modes */
};

/* The visits that decide the trial of that number. */
const struct pair *making_deciding(const struct making *making, size_t trial);

/* What these make of the row, but for its status. */
void making_put_decision(const struct making *making, size_t trial, struct gate_row *row);

/* The kernel, or the earlier one, has passed its checks and has no time: nothing shows how fast it is.
 */
void making_leave_untimed(struct gate_row *row, const char *why);

/* How long a list of the run's plan is, and the i-th name in it; "" where it is no text. */
size_t making_list_length(const struct making *making, const char *key);
const char *making_list_name(const struct making *making, const char *key, size_t i);

/* A new row about the kernel. */
struct gate_row *making_begin(struct making *making, struct shape shape, const char *candidate,
                              enum gate_status status);
void making_add_missing(struct making *making, struct shape shape, const char *candidate,
                        const char *why);

/* Rows of what is not there: removed from the set; timed by the earlier run and not served now. */
void making_add_removed(struct making *making);
void making_add_unserved(struct making *making);

/* Marks the shape's place in the plan. Looks from *at on, where the last one was: both are in about
 * the same order. */
void making_mark_served(const struct making *making, struct shape shape, bool *served, size_t *at);

/* A shape is missing where nothing serves it. Where another kernel does, what may be lost is speed,
 * and nothing has shown that it is not. Returns how many such there are. */
size_t making_ease_missing(struct gate *gate);

/* Holds the last row of the gate against something: screened, and confirmed where the confirmation
 * has measured it again. stored: of another run; NULL: none. */
void making_add_trial(struct making *making, const struct pair *screening, bool must, double margin,
                      const struct pair *stored);

/* What became of every trial. */
void making_decide(struct making *making);

/* What measuring each row took, in both stages. */
void making_put_wall_seconds(const struct making *making);

/* Adds a trial for each baseline that the row, the last one of the gate, must beat. */
void making_add_must(struct making *making, const struct pair *like);

/* What the decided trials against baselines make of their rows, and a sentence where all are
 * beaten. */
void making_judge_must(struct making *making);

/* Warns of entries that have expired or cover nothing. */
void making_examine_known(const struct making *making);

#endif
