/* The runners of a unit: opened on its device for its shape, warmed up for later, and let go. */
#ifndef BENCH_JOBS_UNIT_RUNNER_H
#define BENCH_JOBS_UNIT_RUNNER_H

#include "bench/jobs/unit_context.h"

/* As it is, under compute-sanitizer's memcheck, recording calls through CUPTI, or carrying out what
 * was recorded, without any kernel's library. */
enum runner_kind { RUNNER_PLAIN, RUNNER_MEMCHECK, RUNNER_RECORDER, RUNNER_PLAYER };
#define RUNNER_MEMCHECK_FOUND 86 /* exit status of memcheck when it has found something */

/* Has a runner of the kind, a warm one if there is one, with the device open for the unit's shape. 0, or
 * -1 after error(). Without recorders or players there is no stage: then the session is unfit. Where the
 * plan times nothing there and no recorder is to be had, it is 1, and the session's no_recorder says why. */
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
bool unit_runners_are_settled(struct unit_context *context);

/* Waits until every warm runner has opened the device and the one that was dropped last is gone, so
 * that nothing of that falls into timed calls. */
void unit_settle_runners(struct unit_context *context);

/* Has runners of a kind that will be needed start and open the device now: recorders for the kernels under
 * test, and for the next unit's first one; where none is left, own processes or stages of this visit and
 * the next ones. 0, or -1 after error(). */
int unit_warm(const struct unit_context *context, enum runner_kind kind);

#endif
