/* Runner: one call on inputs that are looked at before and after. */
#include "bench/runner/requests/requests.h"

#include <stdio.h>

#include "bench/base/outcome.h"
#include "correctness/numbers/input.h"
#include "correctness/numbers/values.h"

/* A call's operands and what is not written of its C, and of how many elements of each operand it
 * is known that they are not as the fill alone would have them. */
struct inputs_of_call {
    struct fill fills[4];
    uint64_t expected[3];
};

/* Fills them. 0, or -1 where that fails: *why has the device's words, if it has any. */
static int fill_operands(struct runner *runner, const struct wire_call *request,
                         const struct arm *arm, struct inputs_of_call *of, const char **why) {
    const struct device_ops *device = runner->device;
    void *state = runner->device_state;
    const enum input_kind kind = (enum input_kind)request->input_kind;
    const enum input_matrix matrices[2] = {INPUT_A, INPUT_B};
    struct fill special[INPUTS_SPECIAL], *fills = of->fills;
    int specials = 0;
    *of = (struct inputs_of_call){.expected = {0}};
    for (int i = 0; i < 2; i++)
        if (runner_table(runner, values_table_of(kind, matrices[i]), runner->shape.k) < 0)
            return -1;
    inputs_fills(&arm->operands->calls[0], request->input_kind, request->seed, fills);
    if (request->poison == WIRE_POISON_B_ROW)
        fills[1] =
            poison_fill(&arm->operands->calls[0].b_row, arm->operands->calls[0].b_row.elements);
    if (request->poison == WIRE_POISON_B_COL)
        fills[2] =
            poison_fill(&arm->operands->calls[0].b_col, arm->operands->calls[0].b_col.elements);
    if (runner_outputs(runner, 1, runner_output_elements(arm)) < 0)
        return -1;
    fills[3] = runner_unwritten(runner, &runner->outputs[0], runner_output_elements(arm));
    if (request->input_kind == INPUT_SPECIAL)
        specials =
            inputs_special_fills(&arm->operands->calls[0], request->seed, special, of->expected);
    return device->fill(state, fills, 4) < 0 || device->fill(state, special, specials) < 0 ||
                   device->sync(state, why) < 0
               ? -1
               : 0;
}

/* Looks at the traces of the call: changed operands, changed guard zones, and its product for the
 * judge. 0, or -1 where it cannot be looked at. */
static int look(struct runner *runner, struct arm *arm, const struct inputs_of_call *of,
                struct wire_reply *reply) {
    const struct device_ops *device = runner->device;
    void *state = runner->device_state;
    for (int i = 0; i < 3; i++) {
        const uint64_t expected = of->expected[i];
        uint64_t changed;
        if (device->count_changed(state, &of->fills[i], 1, &changed) < 0)
            return -1;
        reply->call.changed_inputs += changed > expected ? changed - expected : expected - changed;
    }
    const struct guarded *const buffers[] = {&arm->operands->calls[0].a,
                                             &arm->operands->calls[0].b_row,
                                             &arm->operands->calls[0].b_col, &runner->outputs[0]};
    return guarded_check(device, state, buffers, 4, &reply->call.changed_guards) < 0 ||
                   device->copy_out(state, runner->outputs[0].data, runner->shape.m,
                                    runner->shape.n, arm->problem.n, runner->shared) < 0
               ? -1
               : 0;
}

static void refuse_call(struct wire_reply *reply, const char *why) {
    reply->status = -1;
    snprintf(reply->text, sizeof reply->text, "the checked call could not be prepared or read%s%s",
             *why ? ": " : "", why);
}

void runner_call(struct runner *runner, const struct wire_call *request, struct wire_reply *reply) {
    struct arm *arm = &runner->arms[request->arm];
    struct inputs_of_call of;
    const char *why = "";
    if (fill_operands(runner, request, arm, &of, &why) < 0) {
        refuse_call(reply, why);
        return;
    }
    const struct gemm_args args = runner_args(runner, arm, 0, &runner->outputs[0]);
    const uint64_t heap = runner_heap(runner);
    const double start = runner_now();
    const int status = runner_launch_unkept(runner, arm, &args);
    const char *left = runner_forget_left(runner);
    if (left) /* for who looks why nothing was written */
        fprintf(stderr, "the call has left an error of CUDA: %s\n", left);
    const int lost = runner->device->sync(runner->device_state, &why);
    reply->call.seconds = runner_now() - start;
    const uint64_t held = runner_heap(runner);
    arm->held_bytes += held > heap ? held - heap : 0;
    reply->call.held_bytes = arm->held_bytes;
    if (status != 0) {
        runner_explain(arm->ops, status, reply->text);
        reply->outcome = OUTCOME_LAUNCH_FAILED;
    } else if (lost < 0) {
        snprintf(reply->text, sizeof reply->text, "%s", why);
        reply->outcome = OUTCOME_DEVICE_ERROR;
    } else if (look(runner, arm, &of, reply) < 0) {
        refuse_call(reply, "");
    }
}
