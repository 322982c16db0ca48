/* The runners of a unit: opened on its device for its shape, warmed up for later, and let go. */
#ifndef BENCH_CONTEXT_UNIT_RUNNER_H
#define BENCH_CONTEXT_UNIT_RUNNER_H

#include "bench/context/unit_context.h"

/* As it is, under compute-sanitizer's memcheck, recording calls through CUPTI, or carrying out what
 * was recorded, without any kernel's library. */
enum runner_kind { RUNNER_PLAIN, RUNNER_MEMCHECK, RUNNER_RECORDER, RUNNER_PLAYER };
#define RUNNER_MEMCHECK_FOUND 86 /* exit status of memcheck when it has found something */

/* Has a runner of the kind, a warm one if there is one, with the device open for the unit's shape.
 * 0 with the runner's reply, whatever its status, or -1 after error(). */
int unit_open_runner_as(const struct unit_context *context, struct runner_process *process,
                        enum runner_kind kind, struct wire_reply *reply);

/* Tells a runner the unit's shape. 0, or -1 where it does not take it. */
int unit_take_shape(const struct unit_context *context, struct runner_process *process,
                    struct wire_reply *reply);

/* The same for RUNNER_RECORDER; a status that is not 0 is an error, too, and the session is unfit
 * then. Where the plan times nothing on the stage it is 1, and the session's no_recorder says why. */
int unit_open_recorder(const struct unit_context *context, struct runner_process *process,
                       struct wire_reply *reply);

/* The same for RUNNER_PLAYER, of which there always is one: 0, or -1 after error(). */
int unit_open_stage(const struct unit_context *context, struct runner_process *process,
                    struct wire_reply *reply);

/* The plain one that the unit is checked and timed in; a status that is not 0 is an error, too. */
int unit_open_runner(struct unit_context *context);

/* Is done with a runner: kills it, and does not wait for it to be gone, since a driver takes 0.1 s
 * for that. Safe on a process that never started. */
void unit_drop_runner(struct unit_context *context, struct runner_process *process);

/* Whether every warm runner has opened the device and the one that was dropped last is gone. Does
 * not wait. */
bool unit_runners_are_settled(struct unit_context *context);

/* Waits until every warm runner has opened the device and the one that was dropped last is gone, so
 * that nothing of that falls into timed calls. */
void unit_settle_runners(struct unit_context *context);

/* Has the recorders that will be needed start and open the device now, while the libraries are checked: for
 * the kernels under test, and for the next unit's first one. 0, or -1 after error(). */
int unit_warm_recorders(struct unit_context *context);

/* Likewise own processes of the next visits, where none is left. */
int unit_warm_next(struct unit_context *context);

/* The same for the stages of this visit and the next ones. */
int unit_warm_stages(struct unit_context *context);

#endif
