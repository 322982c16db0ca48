/* What is known of one unit while it is measured, and asking its runner. The steps of a unit share
 * it: checks.c, controls.c, measure.c, credible.c. */
#ifndef BENCH_JOBS_UNIT_CONTEXT_H
#define BENCH_JOBS_UNIT_CONTEXT_H

#include <stdbool.h>

#include "bench/base/outcome.h"
#include "bench/jobs/device_session.h"
#include "bench/jobs/unit_result.h"
#include "bench/process/runner_process.h"
#include "bench/runner/layout.h"
#include "correctness/contract/finding.h"

/* A baseline, a kernel under test or a control. */
struct arm_state {
    struct check_row row; /* row.kernel names the arm */
    enum outcome outcome;
    struct shape padded;       /* of its operands, once it was set up */
    const struct built *built; /* of a kernel under test; NULL for a library */
    int number;                /* in the runner */
    uint64_t held_bytes;       /* its own memory: on the host, or that of its recording */
    uint64_t work;  /* facts_digest of a last call of the process that was timed; 0: not known */
    int variant;    /* of an autotuned baseline's algorithms; WIRE_CHOOSE: none yet */
    char note[160]; /* what the kernel's wrapper says of its calls */
};

/* What is known of the arms: all that a visit needs to know of the unit. One that fails stays, with
 * its outcome, and is timed no more. */
struct unit_checked {
    struct shape shape;               /* of the session's libraries */
    struct arm_state arms[WIRE_ARMS]; /* baselines, then the earlier release, then the candidate */
    int arm_count;
    int kernel[UNIT_KERNELS];                 /* indices in arms; -1 if none */
    double largest_deviation, largest_coarse; /* among the baselines */
};

#define UNIT_CONTROLS 4

/* What a kernel has had the device do, as bytes (bench/record/recording.h) whose products on the
 * stage were right; none: NULL. */
struct recorded {
    void *bytes;
    uint64_t size;
    struct shape padded;           /* of the operands that it was given, */
    enum layout_operands operands; /* and where they lay */
    int calls;
    bool stored; /* in a file of the run's folder */
};
void recorded_forget(struct recorded *recorded);

/* What is known of a unit. The jobs of its visits (bench/jobs/visit.c) work on it one after the
 * other, each with a process of its own. */
struct unit_context {
    const struct plan *plan;
    const struct unit *unit;
    uint64_t seed; /* of what the plan draws, seed_of_shape: a kernel can read plan.json */
    int visit;     /* in hand, from 0 */

    struct device_session *session; /* the device in hand */
    char device[RUNDIR_NAME];       /* label of that which has made all visits */
    struct runner_process process;
    int process_units; /* that an own process has served, this one among them */
    bool staged;       /* the process is the stage */
    int own;           /* else the kernel that it has loaded: an index in checked.arms; -1: none */

    struct unit_checked checked;
    bool tried_anew; /* after a process of it was killed */

    struct recorded recorded[UNIT_KERNELS];
    struct arm_state controls[UNIT_CONTROLS];
    int control_count;
    struct unit_result *result; /* what its jobs have found so far */
    double start_seconds, reference_seconds, check_seconds, audit_seconds;
};

#define TROUBLE (-1) /* beside enum outcome: our own fault, said through error() */

/* The seed of what no kernel may know before: inputs, looks and order of calls that are timed or
 * recorded. */
uint64_t unit_secret_seed(const struct unit_context *context);

/* Whether it is right as far as is known, so that it is timed where it can be. */
bool arm_has_passed(const struct arm_state *arm);

/* Whether a runner can go on after this outcome of an arm. */
bool unit_runner_survives(enum outcome outcome);

/* Seconds that a call of the unit's shape may take. */
double unit_call_limit(const struct unit_context *context);

/* Calls in a row that have room for operands and a C of their own: those of all of them take an
 * eighth of the device's memory at most (and no more than LAYOUT_ROW_BYTES). 1: there is no row. */
#define UNIT_ROW_SHARE 8
int unit_row_calls(const struct unit_context *context);

/* Detail text: whatever is given, then the last lines the runner printed, on one line, cleaned. */
void arm_describe(struct arm_state *arm, const char *printed, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Asks the process in hand, and makes of how it ended the arm's outcome; what it says and has printed
 * is clean then. A fault that the runner reports is no kernel's: TROUBLE. In a process that has
 * served other units it may be their doing: DEVICE_ERROR, and another process is tried. Returns the
 * outcome or TROUBLE. */
int unit_ask(struct unit_context *context, struct arm_state *arm, struct wire_request request,
             double limit, struct wire_reply *reply);

/* The same of a process beside it, which has served nobody else. */
int unit_ask_process(struct unit_context *context, struct runner_process *process,
                     struct arm_state *arm, struct wire_request request, double limit,
                     struct wire_reply *reply);

/* The kernels under test; NULL where there is none. */
struct arm_state *unit_candidate(struct unit_context *context);
struct arm_state *unit_previous(struct unit_context *context);

/* The same by UNIT_CANDIDATE and UNIT_PREVIOUS, its file in the set, and what that was built to, ... */
struct arm_state *unit_kernel(struct unit_context *context, int which);
const struct candidate *unit_source(const struct unit *unit, int which);
const struct built *unit_built(const struct unit_context *context, int which);

/* ... which of these a kernel under test is, and where its padded operands lie: kernels of one
 * padding read the same pages. */
int unit_which(struct unit_context *context, const struct arm_state *kernel);
enum layout_operands unit_operands(struct unit_context *context, const struct arm_state *kernel);

/* The first library that has passed its checks; NULL where none has. */
const struct arm_state *unit_library(const struct unit_context *context);

/* The one of them that is held responsible for what nobody else can have done: that of the process,
 * or the candidate. NULL beside libraries alone. */
struct arm_state *unit_suspect(struct unit_context *context);

/* The name of the arm whose ratios the process in hand is for. */
const char *unit_subject(const struct unit_context *context);

/* Whether the arm is timed in the process in hand: a library that has passed; on the stage a kernel
 * that has passed and has a recording, else the kernel that the process has loaded. */
bool unit_takes_part(const struct unit_context *context, const struct arm_state *arm);

/* The arm that is timed for it in the process in hand. On the stage that is the first library that takes
 * part and has the same device work; else the arm itself. */
struct arm_state *unit_timed_as(struct unit_context *context, struct arm_state *arm);

/* Whether the unit has times of the stage: the plan times some there, and its candidate, if it has
 * one, has passed and has a recording. */
bool unit_is_staged(struct unit_context *context);

/* Bits of the lenses that are timed in a process that has loaded the unit's kernels. */
int unit_own_lenses(const struct plan *plan);

/* One in so many visits sees kernels anew: all of them, where the candidate has no recording. */
int unit_own_every(struct unit_context *context);

/* How many visits to the unit have a process that has loaded its kernels: the first, for the
 * checks. Where a lens that has to be precise is timed in it, so have all visits that see kernels
 * anew. */
int unit_own_visits(struct unit_context *context);

/* A new row of the unit for the arm of that name, with nothing known. */
struct arm_state *unit_new_arm(struct unit_context *context, const char *kernel);

/* Forgets the times of a kernel by these lenses (bits); of the candidate, those of all arms. */
void unit_drop_times(struct unit_context *context, const struct arm_state *arm, int lenses);

/* Forgets those of a kernel that has failed, or of one that is unrecorded those of the stage. */
void unit_leave_out(struct unit_context *context, const struct arm_state *arm);

/* Adds the arm's row to the result. */
void unit_add_check(struct unit_context *context, struct arm_state *arm);

#endif
