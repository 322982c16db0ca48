/* Runner: calls that somebody records, by CUPTI. */
#include "bench/runner/requests/requests.h"

#include <stdio.h>

#include "bench/base/outcome.h"
#include "bench/device/trace.h"
#include "bench/replay/recorder.h"
#include "correctness/numbers/input.h"

/* What the kernel does in it is part of its setup for a recording to come. */
static int launch(struct runner *runner, const struct arm *arm, const struct gemm_args *args) {
    if (runner->recording)
        recorder_begin_setup();
    const int status = runner_launch(arm, args);
    if (runner->recording)
        recorder_end();
    return status;
}

/* One call that is recorded, on inputs of its own. False: it is the last. */
static bool trace_call(struct runner *runner, const struct wire_trace *request, int call,
                       struct wire_reply *reply) {
    struct arm *arm = &runner->arms[request->arm];
    if (runner_refresh(runner, seed_derive(request->seed, SEED_BLOCK, (uint64_t)call), 1) < 0) {
        runner_fault(reply, "fresh inputs could not be made");
        return false;
    }
    const struct gemm_args args = runner_args(runner, arm, &runner->outputs[0]);
    int recorded = trace_begin(call);
    int status = launch(runner, arm, &args);
    recorded |= trace_end(call);
    if (recorded < 0) {
        runner_fault(reply, "a call cannot be recorded");
        return false;
    }
    return runner_await(runner, arm, status, reply);
}

/* Calls that are not recorded, on the inputs of the last that was. */
static bool call_between(struct runner *runner, const struct wire_trace *request,
                         struct wire_reply *reply) {
    struct arm *arm = &runner->arms[request->arm];
    const double end = runner_now() + request->between_seconds;
    int *made = &reply->trace.between;
    while (*made < request->between && runner_now() < end && reply->outcome == OUTCOME_OK) {
        const struct gemm_args args = runner_args(runner, arm, &runner->outputs[0]);
        runner_await(runner, arm, launch(runner, arm, &args), reply);
        ++*made;
    }
    return reply->outcome == OUTCOME_OK;
}

void runner_trace(struct runner *runner, const struct wire_trace *request,
                  struct wire_reply *reply) {
    struct arm *arm = &runner->arms[request->arm];
    if (!runner->tracing) {
        runner_fault(reply, "the device was not opened to record calls");
        return;
    }
    if (runner_outputs(runner, 1, runner_output_elements(arm)) < 0) {
        runner_fault(reply, "no room for an output");
        return;
    }
    bool goes_on = true;
    for (int call = 1; call <= request->calls && goes_on; call++) {
        goes_on = trace_call(runner, request, call, reply);
        if (call == request->first && goes_on)
            goes_on = call_between(runner, request, reply);
    }
    if (reply->status != 0)
        return;
    if (trace_collect(runner->shared, runner->shared_bytes / sizeof(struct behaviour_event),
                      &reply->trace.events, &reply->trace.dropped) < 0)
        runner_fault(reply, "what was recorded cannot be collected");
}
