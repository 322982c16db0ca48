/* What a gate or a comparison reads (a run, its confirmation, and what it is compared with), the rows
 * that come of it, and what each is held against. */
#ifndef REPORTS_GATE_GATE_ROWS_H
#define REPORTS_GATE_GATE_ROWS_H

#include <limits.h>

#include "reports/gate/gate_decide.h"
#include "reports/gate/gate_result.h"
#include "reports/run/opened.h"

/* Opens a complete run, with its rows and speeds; verified: one whose numbers are those of its
 * samples. 0, or -1 after error(); `why` then says it in a sentence. Either way the caller ends it
 * with rundir_close. */
int gate_run_read(const char *folder, bool verified, struct rundir *run, char why[RUNDIR_TEXT]);

/* Why the run's controls failed, in words; NULL where they did not. */
const char *gate_run_unfit(const struct rundir *run);

/* Whether `confirm` measured some of the run's units in the same way. 0, or -1 likewise. */
int gate_run_fits(const struct rundir *confirm, const struct rundir *run, char why[RUNDIR_TEXT]);

bool gate_was_timed(const struct rows *rows, const char *mode, const char *lens);

/* Whether the run has the lens and the mode that the policy names. 0, or -1 likewise. */
int gate_run_serves(const struct rundir *run, const struct gate_policy *policy,
                    char why[RUNDIR_TEXT]);

/* What the run is compared with: its own arm RUNDIR_PREVIOUS, or an earlier run. */
struct gate_base {
    bool stored;
    bool comparable;        /* false: why says how the two differ */
    struct rundir run;      /* the earlier one; its pairs call its set as the run does */
    char folder[PATH_MAX];  /* of a store's */
    char name[RUNDIR_TEXT]; /* of what it is; "" where there is nothing */
    char card[RUNDIR_TEXT]; /* that it was measured on another card of the model; "": it was not */
    char lacking[RUNDIR_TEXT]; /* that the earlier run has no digests; "": it has */
    char why[RUNDIR_TEXT];
};
int gate_base_read(const struct gate_call *call, const struct rundir *run, struct gate_base *base);

/* The earlier run that call->against names, for a run of that fingerprint and on those cards ("":
 * not known) that may not be there yet; its set keeps its name. 0, or -1 after error(); base->why
 * then says it in a sentence. */
int gate_base_find(const struct gate_call *call, const struct fingerprint *here, const char *cards,
                   struct gate_base *base);
void gate_base_free(struct gate_base *base);

/* All of it, and what is found on the way: zeroed by the caller but for what is read. */
struct gate_case {
    const struct gate_policy *policy;
    struct rundir run, confirm; /* confirm: empty where there is no confirmation */
    char confirm_folder[PATH_MAX];
    struct gate_base base;
    bool compares;       /* a comparison: every lens has rows, and nothing is confirmed */
    const char *library; /* through which two runs are compared; NULL: the best that both have */

    const char
        *references[SAMPLES_COLUMNS]; /* what the rows are compared through, the best first */
    size_t reference_count;
    struct shape *served; /* by an honest kernel */
    size_t served_count;
    struct gate_evidence *evidence;  /* each row against each thing that it is held against */
    struct gate_decision *decisions; /* likewise, by gate_decide_rows */
    size_t evidence_count;
    size_t compared;            /* rows that had something to be compared with */
    size_t unmeasured;          /* rows without a baseline that they must beat */
    char beaten[RUNDIR_TEXT];   /* how far the rows beat what they must beat; "": nothing, or one
                                 * does not */
    char unserved[RUNDIR_TEXT]; /* shapes of the plan without an honest kernel: "64x64x64,
                                 * 64x64x128, 64x64x256 and 5 others"; "": none */
};
void gate_case_free(struct gate_case *of);

/* Adds to the (zeroed) gate its rows in the plan's order, units, suspects, coverage and warnings. */
void gate_rows_make(struct gate_case *of, struct gate *gate);

/* Holds the last row of the gate against each library that the policy wants it to beat. like: what
 * the row is of. */
void gate_add_must(struct gate_case *of, const struct pair *like, struct gate *gate);

/* Holds the last row of the gate against something. stored: of another run; NULL: none. */
void gate_add_evidence(struct gate_case *of, const struct pair *screening, bool must, double margin,
                       const struct pair *stored, const struct gate *gate);

/* What all evidence says of the rows, which stand as they were made. */
void gate_decide_rows(struct gate_case *of, struct gate *gate);

/* The first verdict on the whole that holds, in the order of enum gate_verdict. Writes gate->reason,
 * which was "", and adds warnings. The rows are sorted and counted. */
enum gate_verdict gate_verdict_find(const struct gate_case *of, const struct gate_call *call,
                                    struct gate *gate);

#endif
