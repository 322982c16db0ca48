/* Runner: calls that somebody records, by CUPTI. */
#include "bench/runner/requests/requests.h"

#include <stdio.h>

#include "bench/base/outcome.h"
#include "bench/device/trace.h"
#include "bench/replay/recorder.h"
#include "correctness/numbers/input.h"

/* One call that is recorded, on inputs of its own. False: it is the last. */
static bool trace_call(struct runner *runner, const struct wire_trace *request,
                       const struct arm *arm, int call, struct wire_reply *reply) {
    if (runner_refresh(runner, seed_derive(request->seed, SEED_BLOCK, (uint64_t)call), 1) < 0) {
        runner_fault(reply, "fresh inputs could not be made");
        return false;
    }
    const struct gemm_args args = runner_args(runner, arm, &runner->outputs[0]);
    int recorded = trace_begin(call);
    int status = runner_launch_unkept(runner, arm, &args);
    recorded |= trace_end(call);
    if (recorded < 0) {
        runner_blame(reply, "a call cannot be recorded");
        return false;
    }
    return runner_await(runner, arm, status, reply);
}

/* Calls that are not recorded, on the inputs of the last that was. */
static bool call_between(struct runner *runner, const struct wire_trace *request,
                         const struct arm *arm, struct wire_reply *reply) {
    const double end = runner_now() + request->between_seconds;
    int *made = &reply->trace.between;
    while (*made < request->between && runner_now() < end && reply->outcome == OUTCOME_OK) {
        const struct gemm_args args = runner_args(runner, arm, &runner->outputs[0]);
        runner_await(runner, arm, runner_launch_unkept(runner, arm, &args), reply);
        ++*made;
    }
    return reply->outcome == OUTCOME_OK;
}

/* The calls of the n-th arm. False: one of them is the last of all. */
static bool trace_arm(struct runner *runner, const struct wire_trace *request, int n,
                      struct wire_reply *reply) {
    const struct arm *arm = &runner->arms[request->arms[n]];
    if (runner_outputs(runner, 1, runner_output_elements(arm)) < 0) {
        reply->outcome = OUTCOME_NO_MEMORY;
        snprintf(reply->text, sizeof reply->text, "no room for an output");
        return false;
    }
    for (int call = 1; call <= request->calls; call++)
        if (!trace_call(runner, request, arm, n * request->calls + call, reply) ||
            (call == request->first && !call_between(runner, request, arm, reply)))
            return false;
    return true;
}

void runner_trace(struct runner *runner, const struct wire_trace *request,
                  struct wire_reply *reply) {
    const char *why = "";
    reply->trace.recorded = runner->tracing || trace_start(&why) == 0;
    if (!reply->trace.recorded) {
        snprintf(reply->text, sizeof reply->text, "%s", why);
        return;
    }
    for (int n = 0; n < request->arm_count && trace_arm(runner, request, n, reply); n++)
        ;
    if (reply->status == 0 &&
        trace_collect(runner->shared, runner->shared_bytes / sizeof(struct behaviour_event),
                      &reply->trace.events, &reply->trace.dropped) < 0 &&
        reply->outcome == OUTCOME_OK)
        runner_blame(reply, "what was recorded cannot be collected");
}
