/* Runner: calls that somebody records, CUPTI in this process or a profiler around it. */
#include "bench/runner/requests.h"

#include <stdio.h>

#include "bench/base/outcome.h"
#include "bench/device/trace.h"
#include "correctness/numbers/input.h"

/* Waits for a call that launch has given that status. */
static void settle(struct runner *runner, const struct arm *arm, int status,
                   struct wire_reply *reply) {
    const char *why = "";
    if (status != 0) {
        runner_explain(arm->ops, status, reply->text);
        reply->outcome = OUTCOME_LAUNCH_FAILED;
    } else if (runner->device->sync(runner->device_state, &why) < 0) {
        snprintf(reply->text, sizeof reply->text, "%s", why);
        reply->outcome = OUTCOME_DEVICE_ERROR;
    }
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
    for (int call = 1; call <= request->calls && reply->outcome == OUTCOME_OK; call++) {
        if (runner_refresh(runner, seed_derive(request->seed, SEED_BLOCK, (uint64_t)call), 1) < 0) {
            runner_fault(reply, "fresh inputs could not be made");
            return;
        }
        const struct gemm_args args = runner_args(runner, arm, &runner->outputs[0]);
        int recorded = trace_begin(call);
        int status = runner_launch(arm, &args);
        recorded |= trace_end(call);
        if (recorded < 0) {
            runner_fault(reply, "a call cannot be recorded");
            return;
        }
        settle(runner, arm, status, reply);
    }
    if (trace_collect(runner->shared, runner->shared_bytes / sizeof(struct behaviour_event),
                      &reply->trace.events, &reply->trace.dropped) < 0)
        runner_fault(reply, "what was recorded cannot be collected");
}

void runner_profile(struct runner *runner, const struct wire_profile *request,
                    struct wire_reply *reply) {
    const struct device_ops *device = runner->device;
    void *state = runner->device_state;
    struct arm *arm = &runner->arms[request->arm];
    if (!device->profile) {
        runner_fault(reply, "only GPUs have counters");
        return;
    }
    if (runner_outputs(runner, 1, runner_output_elements(arm)) < 0) {
        runner_fault(reply, "no room for an output");
        return;
    }
    for (int counted = 0; counted < 2 && reply->outcome == OUTCOME_OK; counted++) {
        if (runner_refresh(runner, seed_derive(request->seed, SEED_BLOCK, (uint64_t)counted), 1) <
            0) {
            runner_fault(reply, "fresh inputs could not be made");
            return;
        }
        const struct gemm_args args = runner_args(runner, arm, &runner->outputs[0]);
        if (counted && device->profile(state, true) < 0) {
            runner_fault(reply, "the profiler cannot be told to start");
            return;
        }
        settle(runner, arm, runner_launch(arm, &args), reply);
        if (counted && reply->outcome == OUTCOME_OK && device->profile(state, false) < 0)
            runner_fault(reply, "the profiler cannot be told to stop");
    }
}
