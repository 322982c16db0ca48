/* Runner: the last calls of a process that has timed. A kernel cannot know that nothing is timed
 * any more, and what it does now it has done before. */
#include <stdio.h>

#include "bench/base/outcome.h"
#include "bench/device/trace.h"
#include "bench/runner/requests/requests.h"
#include "correctness/numbers/input.h"

/* One call on inputs of its own; its number is that of its events. */
static void call(struct runner *runner, const struct arm *arm, uint64_t seed, int number,
                 struct wire_reply *reply) {
    if (runner_outputs(runner, 1, runner_output_elements(arm)) < 0 ||
        runner_refresh(runner, seed_derive(seed, SEED_BLOCK, (uint64_t)number), 1) < 0) {
        runner_fault(reply, "fresh inputs could not be made");
        return;
    }
    const struct gemm_args args = runner_args(runner, arm, &runner->outputs[0]);
    int lost = trace_begin(number);
    const int status = runner_launch(arm, &args);
    lost |= trace_end(number);
    if (lost < 0)
        runner_fault(reply, "a call cannot be recorded");
    else
        runner_await(runner, arm, status, reply);
}

void runner_last(struct runner *runner, const struct wire_last *request, struct wire_reply *reply) {
    const uint64_t room = runner->shared_bytes / sizeof(struct behaviour_event);
    uint64_t dropped;
    const char *why;
    reply->last.watched = trace_start(&why) == 0;
    if (!reply->last.watched) {
        snprintf(reply->text, sizeof reply->text, "%s", why);
        return;
    }
    for (int i = 0; i < request->arm_count; i++)
        for (int j = 1; j <= request->calls; j++) {
            call(runner, &runner->arms[request->arms[i]], request->seed, i * request->calls + j,
                 reply);
            if (reply->outcome != OUTCOME_OK || reply->status != 0)
                return;
        }
    if (trace_collect(runner->shared, room, &reply->last.events, &dropped) < 0) {
        runner_fault(reply, "what was recorded cannot be collected");
    } else if (dropped > 0) {
        reply->last.watched = 0;
        snprintf(reply->text, sizeof reply->text, "they ask more of CUDA than there is room for");
    }
}
