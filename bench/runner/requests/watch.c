/* Runner: calls of a process that has timed, watched more closely than timed calls can be. */
#include "bench/runner/requests/requests.h"

#include <stdio.h>
#include <string.h>

#include "bench/base/outcome.h"
#include "bench/replay/recorder.h"
#include "correctness/numbers/input.h"

int runner_launch_unkept(struct runner *runner, const struct arm *arm,
                         const struct gemm_args *args) {
    if (runner->recording)
        recorder_begin_unkept();
    const int status = runner_launch(arm, args);
    if (runner->recording)
        recorder_end();
    return status;
}

/* One call, on inputs of its own. False with the reply filled where it failed. */
static bool watch_call(struct runner *runner, const struct wire_watch *request, int call,
                       struct wire_reply *reply) {
    const struct arm *arm = &runner->arms[request->arm];
    if (runner_refresh(runner, seed_derive(request->seed, SEED_BLOCK, (uint64_t)call), 1) < 0) {
        runner_fault(reply, "fresh inputs could not be made");
        return false;
    }
    const struct gemm_args args = runner_args(runner, arm, 0, &runner->outputs[0]);
    if (call == 0)
        recorder_begin_unkept();
    else
        recorder_begin_call(args.a, args.b_row, args.b_col, args.c);
    const int status = runner_launch(arm, &args);
    recorder_end();
    return runner_await(runner, arm, status, reply);
}

void runner_watch(struct runner *runner, const struct wire_watch *request,
                  struct wire_reply *reply) {
    static struct facts facts;
    const char *cannot = "";
    char why[RECORDING_WHY];
    reply->watch.watched = recorder_attach(&cannot) == 0;
    snprintf(reply->text, sizeof reply->text, "%s", cannot);
    if (!reply->watch.watched)
        return;
    if (runner_outputs(runner, 1, runner_output_elements(&runner->arms[request->arm])) < 0) {
        reply->outcome = OUTCOME_NO_MEMORY;
        snprintf(reply->text, sizeof reply->text, "no room for an output");
        return;
    }
    int call = 0;
    while (call < request->calls && watch_call(runner, request, call, reply))
        call++;
    recorder_tell(&facts, why);
    if (call < request->calls)
        return;
    memcpy(wire_facts(runner->shared, runner->shared_bytes), &facts, sizeof facts);
    reply->watch.refused = *why != 0;
    snprintf(reply->text, sizeof reply->text, "%s", why);
}
