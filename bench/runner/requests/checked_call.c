/* Runner: one call on inputs that are looked at before and after. A call of a recording has the
 * operands and the C of its number in a row. */
#include "bench/runner/requests/requests.h"

#include <stdio.h>

#include "bench/base/outcome.h"
#include "bench/record/player.h"
#include "bench/runner/interval.h"
#include "correctness/numbers/input.h"
#include "correctness/numbers/values.h"

/* A call's operands, and of how many elements of each it is known that they are not as the fill alone
 * would have them. */
struct inputs_of_call {
    struct fill fills[3];
    uint64_t expected[3];
};

static const struct guarded *c_of(const struct runner *runner, const struct wire_call *request,
                                  const struct arm *arm) {
    return arm->player ? &runner->row[request->call] : &runner->outputs[0];
}

/* Enqueues what is not written of C: of a recording that of every call. 0 or -1. */
static int empty_c(struct runner *runner, const struct arm *arm) {
    const int64_t elements = runner_output_elements(arm);
    if (arm->player)
        return runner_empty_row(runner, runner->row_count);
    if (runner_outputs(runner, 1, elements) < 0)
        return -1;
    const struct fill unwritten = runner_unwritten(runner, &runner->outputs[0], elements);
    return runner->device->fill(runner->device_state, &unwritten, 1);
}

/* Fills them. 0, or -1 where that fails: *why has the device's words, if it has any. */
static int fill_operands(struct runner *runner, const struct wire_call *request,
                         const struct arm *arm, struct inputs_of_call *of, const char **why) {
    const struct device_ops *device = runner->device;
    void *state = runner->device_state;
    const struct inputs *inputs = &arm->operands->calls[request->call];
    const enum input_kind kind = (enum input_kind)request->input_kind;
    const enum input_matrix matrices[2] = {INPUT_A, INPUT_B};
    struct fill special[INPUTS_SPECIAL], *fills = of->fills;
    int specials = 0;
    *of = (struct inputs_of_call){.expected = {0}};
    for (int i = 0; i < 2; i++)
        if (runner_table(runner, values_table_of(kind, matrices[i]), runner->shape.k) < 0)
            return -1;
    inputs_fills(inputs, request->input_kind, request->seed, fills);
    if (request->poison == WIRE_POISON_B_ROW)
        fills[1] = poison_fill(&inputs->b_row, inputs->b_row.elements);
    if (request->poison == WIRE_POISON_B_COL)
        fills[2] = poison_fill(&inputs->b_col, inputs->b_col.elements);
    if (request->input_kind == INPUT_SPECIAL)
        specials = inputs_special_fills(inputs, request->seed, special, of->expected);
    return empty_c(runner, arm) < 0 || device->fill(state, fills, 3) < 0 ||
                   device->fill(state, special, specials) < 0 || device->sync(state, why) < 0
               ? -1
               : 0;
}

static int launch(struct runner *runner, const struct wire_call *request, struct arm *arm) {
    const struct gemm_args args =
        runner_args(runner, arm, request->call, c_of(runner, request, arm));
    const int status = arm->player && request->call == 0 ? player_restore(arm->player) : 0;
    arm->next_call = request->call;
    runner->strange |= arm->player != NULL;
    return status ? status : runner_launch_unkept(runner, arm, &args);
}

/* A seal of C, or C itself. 0 or -1. */
static int take_product(struct runner *runner, const struct wire_call *request,
                        const struct arm *arm, struct wire_reply *reply) {
    const struct guarded *c = c_of(runner, request, arm);
    return request->secret
               ? runner_seal(runner, arm, c, request->secret, &reply->call.seal)
               : runner->device->copy_out(runner->device_state, c->data, runner->shape.m,
                                          runner->shape.n, arm->problem.n, runner->shared);
}

/* Looks at the traces of the call: changed operands, changed guard zones, and its product for the
 * judge. 0, or -1 where it cannot be looked at. */
static int look(struct runner *runner, const struct wire_call *request, const struct arm *arm,
                const struct inputs_of_call *of, struct wire_reply *reply) {
    const struct device_ops *device = runner->device;
    void *state = runner->device_state;
    for (int i = 0; i < 3; i++) {
        const uint64_t expected = of->expected[i];
        uint64_t changed;
        if (device->count_changed(state, &of->fills[i], 1, &changed) < 0)
            return -1;
        reply->call.changed_inputs += changed > expected ? changed - expected : expected - changed;
    }
    const struct inputs *inputs = &arm->operands->calls[request->call];
    const struct guarded *const buffers[] = {&inputs->a, &inputs->b_row, &inputs->b_col,
                                             c_of(runner, request, arm)};
    return guarded_check(device, state, buffers, 4, &reply->call.changed_guards) < 0
               ? -1
               : take_product(runner, request, arm, reply);
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
    const uint64_t heap = runner_heap(runner);
    const double start = runner_now();
    const int status = launch(runner, request, arm);
    const char *left = runner_forget_left(runner);
    if (left) /* for who looks why nothing was written */
        fprintf(stderr, "the call has left an error of CUDA: %s\n", left);
    const bool done = runner_await(runner, arm, status, reply);
    reply->call.seconds = runner_now() - start;
    const uint64_t held = runner_heap(runner);
    arm->held_bytes += held > heap ? held - heap : 0;
    reply->call.held_bytes = arm->held_bytes;
    if (done && look(runner, request, arm, &of, reply) < 0)
        refuse_call(reply, "");
    else if (done && arm->loaded.note)
        snprintf(reply->text, sizeof reply->text, "%s", arm->loaded.note);
}
