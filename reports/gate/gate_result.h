/* A gate or a comparison: what it reads, a status for each row, the means of the set, and of a gate a
 * verdict on the whole. gate.h and compare.h say how they are found. */
#ifndef REPORTS_GATE_GATE_RESULT_H
#define REPORTS_GATE_GATE_RESULT_H

#include <limits.h>
#include <sqlite3.h>
#include <stdbool.h>
#include <stddef.h>

#include "reports/gate/gate_policy.h"
#include "reports/pairs/estimate.h"
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

/* What became of one row. In the order of severity, the worst first; last what nobody has looked
 * at. A comparison, which confirms nothing, has no BEHIND, KNOWN or MAYBE_FASTER. */
#define GATE_STATUSES(X)                                                                           \
    X(WRONG, "wrong", "the kernel was refused")                                                    \
    X(UNRECORDED, "unrecorded", "cannot be recorded, which the policy refuses")                    \
    X(SLOWER, "slower", "slower than the margin allows, confirmed")                                \
    X(BEHIND, "behind", "does not beat a baseline that it must beat")                              \
    X(MISSING, "missing", "no kernel serves this shape any more")                                  \
    X(ENVIRONMENT, "environment", "the machine was not fit: nothing is known of the kernel")       \
    X(UNDECIDED, "undecided", "neither shown to be slower nor shown not to be")                    \
    X(KNOWN, "known", "slower, as far as the policy allows")                                       \
    X(ADDED, "added", "nothing to compare with")                                                   \
    X(SAME, "same", "shown not to be slower than the margin allows")                               \
    X(MAYBE_FASTER, "maybe-faster", "perhaps faster: one 95 % interval above 1, not confirmed")    \
    X(FASTER, "faster", "faster, confirmed in fresh visits")
enum gate_status {
#define X(name, word, text) GATE_##name,
    GATE_STATUSES(X)
#undef X
        GATE_STATUS_COUNT
};
extern const char *const gate_status_words[] /* and NULL */, *const gate_status_texts[];

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

/* Whether the word is of a verdict on the kernels: not of what kept a gate from one (interrupted,
 * error, environment, not-comparable), nor an unknown one. */
bool gate_verdict_judged(const char *word);

/* What stands behind a row's status, where the status alone does not say it. */
enum gate_why {
    GATE_WHY_NONE,
    GATE_UNBUILT,         /* this machine could not compile it, or the earlier kernel */
    GATE_STARVED,         /* or had too little device memory */
    GATE_UNTIMED,         /* it or the earlier kernel has passed its checks, and has no time */
    GATE_UNBOUNDED,       /* of a recorded kernel: no device work bounds the time */
    GATE_EARLIER_REFUSED, /* the earlier kernel was */
    GATE_GONE,            /* the earlier kernel is, while another serves the shape */
    GATE_WHY_COUNT
};

struct gate_row {
    struct shape shape;
    char candidate[RUNDIR_NAME];
    char source[RUNDIR_TEXT];                  /* its file, relative to the set */
    char mode[RUNDIR_NAME], lens[RUNDIR_NAME]; /* "" where the row is about neither */
    char reference[RUNDIR_NAME];               /* what it is compared with */
    const char *size_class;
    enum gate_status status;
    double ratio, ci_low, ci_high;     /* t_reference / t_candidate; NaN where there is none */
    double reference_seconds, seconds; /* their quotient is the ratio. Of a stored reference: as it
                                        * would be here, by the library that both have */
    double margin;
    double p;                      /* after Holm; NaN for what was no suspect */
    double visits;                 /* that the row rests on */
    double left_out, timed_visits; /* visits beside these that were disturbed; of so many in all */
    bool suspect;                  /* it is to be measured again */
    bool confirmed;                /* they are visits of the confirmation */
    double device_ratio, call_ratio; /* as ratio, by these lenses; NaN where one was not timed */
    enum gate_why why;
    bool unrecorded;       /* the kernel or the earlier one is: it is judged by `call`, if at all */
    double wall_seconds;   /* that measuring the kernel took in the mode; NaN: not known */
    double visits_seconds; /* of these, what its visits took: starting, warming up, timing */
    char text[RUNDIR_TEXT]; /* why, for people: the evidence of a wrong kernel, a known's line */
    /* The visits of the run, and of another run those of the earlier kernel (NULL: the earlier
     * kernel was an arm of the same blocks). NULL: nothing is compared. */
    const struct pair *now, *before;
};

/* A mode that is judged, and by which lens. */
struct gate_judged {
    char mode[RUNDIR_NAME], lens[RUNDIR_NAME];
};

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

#define GATE_WARNINGS 64
#define GATE_JUDGED 8
struct gate {
    struct gate_call call;
    struct rundir run, confirm; /* confirm: empty where there is no confirmation */
    char confirm_folder[PATH_MAX];
    struct gate_base base;
    bool compares;       /* a comparison: every lens has rows, and nothing is confirmed */
    const char *library; /* through which two runs are compared; NULL: the best that both have */

    struct gate_row *rows; /* once sorted the most severe first, of these the slowest */
    size_t count;
    const char
        *references[SAMPLES_COLUMNS]; /* what the rows are compared through, the best first */
    size_t reference_count;
    struct gate_evidence *evidence;  /* each row against each thing that it is held against */
    struct gate_decision *decisions; /* likewise */
    size_t evidence_count;
    size_t compared;   /* rows that had something to be compared with */
    size_t unmeasured; /* rows without a baseline that they must beat */
    size_t suspects;   /* tests of the confirmation */
    size_t units;      /* shapes x candidates of the plan */
    size_t carried;    /* kernels on shapes that are as they were, and were not measured */
    struct gate_judged judged[GATE_JUDGED];
    size_t judged_count;
    double
        coverage; /* NaN: nothing was measured. Share of the plan's shapes with an honest kernel */
    char unserved[RUNDIR_TEXT]; /* the others: "64x64x64, 64x64x128, 64x64x256 and 5 others"; "" */
    char beaten[RUNDIR_TEXT];   /* how far the rows beat what they must beat; "": nothing, or one
                                 * does not */

    /* How many rows of each: */
    size_t statuses[GATE_STATUS_COUNT], whys[GATE_WHY_COUNT];
    size_t timed;    /* that were timed, or should have been */
    size_t by_call;  /* that are judged by call, since a kernel is unrecorded */
    size_t left_out; /* of which visits are left out */
    size_t beyond;   /* undecided, and slower than the margin allows by the whole interval */

    enum gate_verdict verdict;
    char reason[RUNDIR_TEXT];                  /* of the verdict, one sentence */
    char warnings[GATE_WARNINGS][RUNDIR_TEXT]; /* known regressions that are needless... */
    size_t warning_count;
    sqlite3 *lines; /* with the summary lines (lines.h) of each mode and lens: class `all`, then the
                     * size classes. NULL where no row is compared */
};

/* A new row about the kernel, without numbers. */
struct gate_row *gate_add_row(struct gate *gate, struct shape shape, const char *candidate,
                              enum gate_status status);

/* Puts the rows into their order, and counts them. */
void gate_sort(struct gate *gate);

/* Makes the lines of the rows, which are as they stay. */
void gate_add_lines(struct gate *gate);

/* Adds a warning as printf would, where there is room. */
void gate_warn(struct gate *gate, const char *format, ...) __attribute__((format(printf, 2, 3)));

void gate_free(struct gate *gate);

#endif
