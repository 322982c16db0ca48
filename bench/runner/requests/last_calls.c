/* Runner: the last calls of a process that has timed. A kernel cannot know that nothing is timed
 * any more, and what it does now it has done before. */
#include <stdio.h>

#include "bench/base/outcome.h"
#include "bench/device/trace.h"
#include "bench/runner/requests/requests.h"
#include "correctness/numbers/input.h"

/* Begins to watch. False: it cannot be. */
static bool watch(struct runner *runner, char text[WIRE_TEXT]) {
    const char *why = "the libraries' code cannot be taken away";
    const bool watched = runner->device->shut_libraries
                             ? runner->device->shut_libraries(runner->device_state) == 0
                             : trace_start(&why) == 0;
    if (!watched)
        snprintf(text, WIRE_TEXT, "%s", why);
    return watched;
}

/* One call on inputs of its own; its number is that of its events. */
static void call(struct runner *runner, const struct arm *arm, uint64_t seed, int number,
                 struct wire_reply *reply) {
    const bool recorded = !runner->device->shut_libraries;
    if (runner_refresh(runner, seed_derive(seed, SEED_BLOCK, (uint64_t)number), 1) < 0) {
        runner_fault(reply, "fresh inputs could not be made");
        return;
    }
    const struct gemm_args args = runner_args(runner, arm, &runner->outputs[0]);
    int lost = recorded ? trace_begin(number) : 0;
    const int status = runner_launch(arm, &args);
    lost |= recorded ? trace_end(number) : 0;
    if (lost < 0)
        runner_fault(reply, "a call cannot be recorded");
    else
        runner_await(runner, arm, status, reply);
}

void runner_last(struct runner *runner, const struct wire_last *request, struct wire_reply *reply) {
    const uint64_t room = runner->shared_bytes / sizeof(struct behaviour_event);
    uint64_t dropped;
    reply->last.watched = watch(runner, reply->text);
    if (!reply->last.watched)
        return;
    for (int i = 0; i < request->arm_count; i++)
        for (int j = 1; j <= request->calls; j++) {
            call(runner, &runner->arms[request->arms[i]], request->seed, i * request->calls + j,
                 reply);
            if (reply->outcome != OUTCOME_OK || reply->status != 0)
                return;
        }
    if (!runner->device->shut_libraries &&
        trace_collect(runner->shared, room, &reply->last.events, &dropped) < 0)
        runner_fault(reply, "what was recorded cannot be collected");
}
