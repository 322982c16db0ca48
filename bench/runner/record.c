/* Runner: a candidate's calls as bytes that another process can carry out. */
#include "bench/runner/requests.h"

#include <stdio.h>

#include "bench/base/outcome.h"
#include "bench/replay/recorder.h"
#include "bench/runner/interval.h"
#include "correctness/numbers/input.h"

/* One call on the inputs of its number. False with the reply filled where it failed. */
static bool call(struct runner *runner, struct arm *arm, const struct wire_record *request,
                 int number, int output, struct wire_reply *reply) {
    const char *why = "";
    const bool kept = output >= 0;
    const uint64_t seed = seed_derive(request->seed, SEED_BLOCK, (uint64_t)number);
    if (runner_refresh(runner, seed, request->calls + 1) < 0) {
        runner_fault(reply, "fresh inputs could not be made");
        return false;
    }
    const struct gemm_args args =
        runner_args(runner, arm, &runner->outputs[kept ? output : request->calls]);
    if (kept)
        recorder_begin_call(args.a, args.b_row, args.b_col, args.c);
    else
        recorder_begin_setup();
    const int status = runner_launch(arm, &args);
    recorder_end();
    if (status != 0) {
        runner_explain(arm->ops, status, reply->text);
        reply->outcome = OUTCOME_LAUNCH_FAILED;
    } else if (runner->device->sync(runner->device_state, &why) < 0) {
        snprintf(reply->text, sizeof reply->text, "%s", why);
        reply->outcome = OUTCOME_DEVICE_ERROR;
    }
    return reply->outcome == OUTCOME_OK;
}

void runner_record(struct runner *runner, const struct wire_record *request,
                   struct wire_reply *reply) {
    struct arm *arm = &runner->arms[request->arm];
    struct seen seen[DEVICE_LOOKS];
    char why[RECORDING_WHY] = "";
    const int calls = request->calls;
    if (!runner->recording) {
        runner_fault(reply, "the device was not opened to record for a replay");
        return;
    }
    if (calls < 1 || calls > WIRE_RECORDED ||
        runner_outputs(runner, calls + 1, runner_output_elements(arm)) < 0) {
        runner_fault(reply, "no room for an output of every call");
        return;
    }
    for (int i = 0; i < request->unkept; i++)
        if (!call(runner, arm, request, calls + i, -1, reply))
            return;
    recorder_keep_memory();
    for (int i = 0; i < calls; i++) {
        if (!call(runner, arm, request, i, i, reply))
            return;
        const struct look look = runner_look(runner, arm, &runner->outputs[i], request->secret);
        if (runner->device->look(runner->device_state, &look, i) < 0) {
            runner_fault(reply, "an output cannot be looked at");
            return;
        }
    }
    if (runner->device->looks(runner->device_state, calls, seen) < 0) {
        runner_fault(reply, "the outputs cannot be looked at");
        return;
    }
    for (int i = 0; i < calls; i++)
        reply->record.seals[i] = seen[i].seal;
    reply->record.replayable =
        recorder_write(runner->shared, runner->shared_bytes, &reply->record.bytes, why) == 0;
    snprintf(reply->text, sizeof reply->text, "%s", why);
}
