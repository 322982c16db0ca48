/* Runner: what a launch is given, fresh inputs, and the checked call. */
#include "bench/runner/runner.h"

#include <stdio.h>

#include "bench/base/outcome.h"
#include "correctness/numbers/input.h"

void runner_explain(const struct kernel_ops *ops, int status, char text[WIRE_TEXT]) {
    const char *words = ops->explain ? ops->explain(status) : NULL;
    if (words)
        snprintf(text, WIRE_TEXT, "%s (status %d)", words, status);
    else
        snprintf(text, WIRE_TEXT, "status %d", status);
}

int runner_outputs(struct runner *runner, int count, int64_t elements) {
    if (runner->output_count >= count && runner->outputs[0].elements == elements)
        return 0;
    for (int i = 0; i < runner->output_count; i++)
        guarded_free(runner->device, runner->device_state, &runner->outputs[i]);
    runner->output_count = 0;
    for (; runner->output_count < count; runner->output_count++)
        if (guarded_alloc(runner->device, runner->device_state, elements,
                          &runner->outputs[runner->output_count]) < 0)
            return -1;
    return 0;
}

int64_t runner_output_elements(const struct arm *arm) {
    return arm->problem.m * arm->problem.n;
}

const uint16_t *runner_copy(const struct runner *runner, const struct inputs *inputs,
                            const struct guarded *matrix) {
    const int64_t copy = (int64_t)(runner->visits % (uint64_t)inputs->copies);
    return matrix->data + copy * (matrix->elements / inputs->copies);
}

struct gemm_args runner_args(const struct runner *runner, const struct arm *arm, int output) {
    const struct inputs *inputs = arm->inputs;
    return (struct gemm_args){
        .problem = arm->problem,
        .a = runner_copy(runner, inputs, &inputs->a),
        .b_row = runner_copy(runner, inputs, &inputs->b_row),
        .b_col = runner_copy(runner, inputs, &inputs->b_col),
        .c = runner->outputs[output].data,
        .stream = runner->device->stream(runner->device_state),
    };
}

int runner_refresh(struct runner *runner, uint64_t seed, int output_count) {
    const struct device_ops *device = runner->device;
    void *state = runner->device_state;
    struct fill fills[3 * RUNNER_OPERANDS + WIRE_ARMS];
    int count = 0;
    for (int i = 0; i < runner->operand_count; i++, count += 3)
        inputs_fills(&runner->operands[i], INPUT_NORMAL, seed, fills + count);
    for (int i = 0; i < output_count; i++)
        fills[count++] = poison_fill(&runner->outputs[i], runner->outputs[i].elements);
    const char *why;
    if (device->fill(state, fills, count) < 0)
        return -1;
    for (int i = 0; i < runner->operand_count; i++)
        if (inputs_replicate(device, state, &runner->operands[i]) < 0)
            return -1;
    return device->sync(state, &why);
}

void runner_call(struct runner *runner, const struct wire_call *request, struct wire_reply *reply) {
    const struct device_ops *device = runner->device;
    void *state = runner->device_state;
    struct arm *arm = &runner->arms[request->arm];
    const char *why = "";
    struct fill fills[4];
    inputs_fills(arm->inputs, request->input_kind, request->seed, fills);
    if (request->poison == WIRE_POISON_B_ROW)
        fills[1] = poison_fill(&arm->inputs->b_row, arm->inputs->b_row.elements);
    if (request->poison == WIRE_POISON_B_COL)
        fills[2] = poison_fill(&arm->inputs->b_col, arm->inputs->b_col.elements);
    if (runner_outputs(runner, 1, runner_output_elements(arm)) < 0)
        goto trouble;
    fills[3] = poison_fill(&runner->outputs[0], runner_output_elements(arm));
    if (device->fill(state, fills, 4) < 0 || device->sync(state, &why) < 0)
        goto trouble;

    struct gemm_args args = runner_args(runner, arm, 0);
    double start = runner_now();
    int status = arm->ops->launch(arm->state, &args);
    int lost = device->sync(state, &why);
    reply->call.seconds = runner_now() - start;
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
        if (device->count_changed(state, &fills[i], &changed) < 0)
            goto trouble;
        reply->call.changed_inputs += changed;
    }
    if (guarded_check(device, state, &arm->inputs->a, &reply->call.changed_guards) < 0 ||
        guarded_check(device, state, &arm->inputs->b_row, &reply->call.changed_guards) < 0 ||
        guarded_check(device, state, &arm->inputs->b_col, &reply->call.changed_guards) < 0 ||
        guarded_check(device, state, &runner->outputs[0], &reply->call.changed_guards) < 0 ||
        device->copy_out(state, runner->outputs[0].data, runner->shape.m, runner->shape.n,
                         arm->problem.n, runner->shared) < 0)
        goto trouble;
    return;
trouble:
    reply->status = -1;
    snprintf(reply->text, sizeof reply->text, "the checked call could not be prepared or read%s%s",
             *why ? ": " : "", why);
}
