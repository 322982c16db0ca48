/* Runner: one call on inputs that are looked at before and after. */
#include "bench/runner/requests/requests.h"

#include <stdio.h>

#include "bench/base/outcome.h"
#include "correctness/numbers/input.h"

void runner_call(struct runner *runner, const struct wire_call *request, struct wire_reply *reply) {
    const struct device_ops *device = runner->device;
    void *state = runner->device_state;
    struct arm *arm = &runner->arms[request->arm];
    const char *why = "";
    struct fill fills[4], special[INPUTS_SPECIAL];
    uint64_t expected[3] = {0};
    int specials = 0;
    inputs_fills(arm->inputs, request->input_kind, request->seed, fills);
    if (request->poison == WIRE_POISON_B_ROW)
        fills[1] = poison_fill(&arm->inputs->b_row, arm->inputs->b_row.elements);
    if (request->poison == WIRE_POISON_B_COL)
        fills[2] = poison_fill(&arm->inputs->b_col, arm->inputs->b_col.elements);
    if (runner_outputs(runner, 1, runner_output_elements(arm)) < 0)
        goto trouble;
    fills[3] =
        runner_unwritten(runner, runner_c(arm, &runner->outputs[0]), runner_output_elements(arm));
    if (request->input_kind == INPUT_SPECIAL)
        specials = inputs_special_fills(arm->inputs, request->seed, special, expected);
    if (device->fill(state, fills, 4) < 0 || device->fill(state, special, specials) < 0 ||
        device->sync(state, &why) < 0)
        goto trouble;

    struct gemm_args args = runner_args(runner, arm, &runner->outputs[0]);
    const uint64_t heap = runner_heap(runner);
    double start = runner_now();
    int status = runner_launch(arm, &args);
    int lost = device->sync(state, &why);
    reply->call.seconds = runner_now() - start;
    const uint64_t held = runner_heap(runner);
    arm->held_bytes += held > heap ? held - heap : 0;
    reply->call.held_bytes = arm->held_bytes;
    if (status != 0) {
        runner_explain(arm->ops, status, reply->text);
        reply->outcome = OUTCOME_LAUNCH_FAILED;
        return;
    }
    if (lost < 0) {
        snprintf(reply->text, sizeof reply->text, "%s", why);
        reply->outcome = OUTCOME_DEVICE_ERROR;
        return;
    }
    for (int i = 0; i < 3; i++) {
        uint64_t changed;
        if (device->count_changed(state, &fills[i], 1, &changed) < 0)
            goto trouble;
        reply->call.changed_inputs +=
            changed > expected[i] ? changed - expected[i] : expected[i] - changed;
    }
    const struct guarded *const buffers[] = {&arm->inputs->a, &arm->inputs->b_row,
                                             &arm->inputs->b_col,
                                             runner_c(arm, &runner->outputs[0])};
    if (runner_take_window(runner, arm, &runner->outputs[0]) < 0 ||
        guarded_check(device, state, buffers, 4, &reply->call.changed_guards) < 0 ||
        device->copy_out(state, runner->outputs[0].data, runner->shape.m, runner->shape.n,
                         arm->problem.n, runner->shared) < 0)
        goto trouble;
    return;
trouble:
    reply->status = -1;
    snprintf(reply->text, sizeof reply->text, "the checked call could not be prepared or read%s%s",
             *why ? ": " : "", why);
}
