/* The judge's work on one unit: what is known of its arms, and asking its runner. Shared by the
 * steps of a unit: prove.c (set-up and checks) and measure.c (timing). */
#ifndef BENCH_UNIT_WORK_H
#define BENCH_UNIT_WORK_H

#include <stdbool.h>

#include "bench/base/outcome.h"
#include "bench/process/runner_process.h"
#include "bench/unit/unit.h"
#include "timing/stopping.h"

struct arm_state {
    struct check_row row; /* row.kernel names the arm, a control's too */
    enum outcome outcome;
    /* Of a kernel under test; NULL for a library. */
    const struct built *built;
    const struct disassembly *disassembly; /* NULL on the host device */
    int number;                            /* in the runner */
    int variant;   /* the algorithm an autotuned baseline has chosen; -1: none */
    double coarse; /* share of C that was, as it was checked; NaN: not looked at */
};

#define WORK_CONTROLS 2

/* The last readings of a mode's warm-up, over the rounds. */
struct warmth {
    double sm_mhz[STOPPING_STEADY], power_w[STOPPING_STEADY];
    double speed[STOPPING_STEADY]; /* blocks a second */
    bool capped;                   /* the card has met its power cap */
};

struct work {
    struct device_session *session;      /* NULL between the turns of devices */
    const struct device_rotation *turns; /* NULL: all rounds are measured on one */
    const struct device_session *first;  /* of the first round */
    char places[RUNDIR_NAME];            /* see reports/run/device_label.h */
    const struct plan *plan;
    const struct unit *unit;
    uint64_t seed; /* of everything that is drawn: seed_of_shape */
    struct unit_result *result;
    struct runner_process process;
    struct arm_state arms[WIRE_ARMS]; /* baselines, then the previous kernel, then the candidate */
    int arm_count;
    int candidate, previous;   /* indices in arms; -1 if none */
    bool no_previous;          /* it took a runner down and is left out */
    bool no_candidate;         /* only the earlier release is looked at */
    struct arm_state left_out; /* what it was when it did so while timed; else all zero */
    bool beside;               /* the candidate was in the process then */
    struct arm_state controls[WORK_CONTROLS];
    int control_count;
    uint64_t lost;   /* bit i: baseline i killed a runner and is left out */
    double deadline; /* of the candidate's checks, on the monotonic clock; 0: none */
    double largest;  /* deviation among the baselines */
    struct warmth warmth[MODE_COUNT];
    double start_seconds, check_seconds, audit_seconds;
};

#define TROUBLE (-1) /* beside enum outcome: our own fault, said through error() */

/* Seconds that a call of the unit's shape may take. */
double work_call_limit(const struct work *work);

/* Text that a kernel may have written goes into logs: what ends a line or steers a terminal becomes
 * a space, and so does what begins a command wherever it stands in one, as ##[error] does for
 * GitHub and ##vso[...] for Azure; ::error does at a line's start only. */
void work_clean(char *text);

/* Detail text: whatever is given, then the last lines the runner printed, on one line, cleaned. */
void work_describe(struct arm_state *arm, const char *printed, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Asks, and turns however the runner ended into the arm's outcome; what the runner says and has
 * printed is clean then. A fault the runner reports counts against the arm too: after a healthy
 * start only the kernel can have brought it about. Returns the outcome or TROUBLE. */
int work_ask(struct work *work, struct arm_state *arm, struct wire_request request, double limit,
             struct wire_reply *reply);

/* The kernel under test that is in the runner, to be held responsible for what nobody else can have
 * done: the candidate, or the earlier release where there is none. NULL beside libraries alone. */
struct arm_state *work_suspect(struct work *work);

/* Whether the runner can go on after this outcome of an arm. */
bool work_survives(enum outcome outcome);

/* Whether calls of the candidate, or of the earlier release, are recorded. */
bool work_records(const struct plan *plan, bool previous);

/* Has a runner, a spare one if there is one, with the device open for the unit's shape: as it is,
 * under compute-sanitizer's memcheck, or recording calls through CUPTI. 0 with the runner's reply,
 * whatever its status, or -1 after error(). */
#define WORK_MEMCHECK_FOUND 86
enum work_runner { WORK_PLAIN, WORK_MEMCHECK, WORK_TRACED };
int work_open_as(const struct work *work, struct runner_process *process, enum work_runner kind,
                 struct wire_reply *reply);

/* A fresh plain one under any program (see process_start_under). */
int work_open_under(const struct work *work, struct runner_process *process,
                    const char *const *program, struct wire_reply *reply);

/* The plain one; a status that is not 0 is an error, too. */
int work_open(const struct work *work, struct runner_process *process);

/* Is done with a runner: kills it, and lets it go while other things are done, since a driver takes
 * 0.1 s for that. Safe on a process that never started. */
void work_part(struct work *work, struct runner_process *process);

/* Waits until every spare runner has opened the device and whoever was parted with is gone, so that
 * nothing of that falls into timed calls. */
void work_settle(struct work *work);

/* Has the runners that are still needed start and open the device now, while this one is at its
 * checks: for the recordings of the kernels under test, for the later rounds, and for the next
 * unit's first recording and first round. 0, or -1 after error(). */
int work_stock(struct work *work);

#endif
