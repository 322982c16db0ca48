/* The runners of units: opened on the device for a unit's shape, warmed up for later, and let go.
 *
 * Some serve one unit after the other. Opening a device takes longer than a visit does. All units
 * of a process are in the same visit, so that visits of a unit are independent.
 *
 * An *own process* has loaded a kernel's library, or libraries alone. One of each set waits. A
 * kernel that fails where another was before it is tried once more in a process of its own. The
 * *stage* is a process of ours that loads no candidate. It carries out recordings beside the
 * libraries. It is replaced when a recording has spoiled it. */
#ifndef BENCH_JOBS_PROCESSES_H
#define BENCH_JOBS_PROCESSES_H

#include "bench/jobs/unit_context.h"

/* As it is, under compute-sanitizer's memcheck, recording calls through CUPTI, or carrying out what
 * was recorded, without any kernel's library. */
enum runner_kind { RUNNER_PLAIN, RUNNER_MEMCHECK, RUNNER_RECORDER, RUNNER_PLAYER };
#define RUNNER_MEMCHECK_FOUND 86 /* exit status of memcheck when it has found something */

/* Has a runner of the kind, a warm one if there is one, with the device open for the unit's shape.
 * 0, or -1 after error(). Without recorders or players there is no stage: then the session is
 * unfit. Where the plan times nothing there and no recorder is to be had, it is 1, and the
 * session's no_recorder says why. */
int unit_open(const struct unit_context *context, enum runner_kind kind,
              struct runner_process *process);

/* The plain one that the unit is checked and timed in. */
int unit_open_runner(struct unit_context *context);

/* Tells a runner the unit's shape. 0, or -1 where it does not take it. */
int unit_take_shape(const struct unit_context *context, struct runner_process *process);

/* Is done with a runner: kills it, and does not wait for it to be gone, since a driver takes 0.1 s
 * for that. Safe on a process that never started. */
void unit_drop_runner(struct unit_context *context, struct runner_process *process);

/* Whether every warm runner has opened the device and the one that was dropped last is gone. Does
 * not wait. */
bool processes_are_settled(struct device_session *session);

/* Waits until every warm runner has opened the device and the one that was dropped last is gone, so
 * that nothing of that falls into timed calls. */
void processes_settle(struct device_session *session);

/* Has runners of a kind that will be needed start and open the device now: recorders for the
 * kernels under test, and for the next unit's first one; where none is left, own processes or
 * stages of this visit and the next ones. 0, or -1 after error(). */
int unit_warm(const struct unit_context *context, enum runner_kind kind);

/* Units that a process serves at most. */
#define OWN_PROCESS_UNITS 16
#define STAGE_UNITS 96

/* Processes that hold a shape's operands where others wait: those of both sets, and the stage. */
#define OWN_PROCESS_BESIDE 3

/* The visit of the checks. */
#define OWN_PROCESS_CHECKS (-1)

/* Beside UNIT_CANDIDATE and UNIT_PREVIOUS: one that loads no kernel. */
enum { OWN_PROCESS_LIBRARIES = UNIT_KERNELS };

/* Puts a process that has taken the unit's shape into the context: the one that waits for units of
 * the set in that visit, else a fresh one. alone: a fresh one. 0, or -1 after error(). */
int own_process_take(struct unit_context *context, int set, int visit, bool alone);

/* Whether the process of that set records calls: that of libraries which kernels are held against on
 * the stage. */
bool own_process_records(const struct unit_context *context, int set);

/* The context's process waits for the next unit, and is stopped meanwhile. Where the device has no
 * room for it beside the stage, it ends. */
void own_process_leave(struct unit_context *context, int set, int visit);

/* Has the session's stage ready for the unit's shape, with nothing else on it. 0, or -1 after
 * error(). */
int stage_take(struct unit_context *context);

/* Puts a kernel's recording, which must fit, into the memory shared with it: the request makes an
 * arm of it. */
struct wire_request stage_load_request(const struct unit_context *context,
                                       const struct recorded *recorded);

/* Is done with it: the next one is a fresh process. */
void stage_drop(struct unit_context *context);

/* How many processes of the session wait: warm ones, the stage, own ones. */
int processes_waiting(const struct device_session *session);

/* Ends those that wait, and those that leave. */
void processes_end(struct device_session *session);

#endif
