/* Runner: a recording as an arm, in a process that has never loaded the kernel's library. */
#include "bench/runner/requests/requests.h"

#include <stdio.h>

#include "bench/base/outcome.h"
#include "bench/record/player.h"
#include "bench/runner/interval.h"
#include "correctness/numbers/input.h"

/* Every launch is the recording's next call, with the operands and the C of that call. */
static int play_next(void *state, const struct gemm_args *args) {
    struct arm *arm = state;
    (void)args;
    const int number = arm->next_call;
    arm->next_call = (number + 1) % recording_calls(player_recording(arm->player));
    return player_play(arm->player, number);
}

static const struct kernel_ops played = {
    .abi = GEMMGATE_ABI, .name = "recording", .launch = play_next, .explain = player_explain};

static bool is_here(uint64_t address, const uint16_t *data) {
    return address == (uint64_t)(uintptr_t)data;
}

/* Whether the operands lie where they lay when the calls were recorded. */
static bool lie_there(const struct runner *runner, const struct arm *arm) {
    const struct recording *r = player_recording(arm->player);
    for (int i = 0; i < recording_calls(r); i++) {
        const struct inputs *inputs = &arm->operands->calls[i];
        if (!is_here(r->calls[i].a, inputs->a.data) ||
            !is_here(r->calls[i].b_row, inputs->b_row.data) ||
            !is_here(r->calls[i].b_col, inputs->b_col.data) ||
            !is_here(r->calls[i].c, runner->row[i].data))
            return false;
    }
    return true;
}

static void tell_loaded(const struct runner *runner, const struct arm *arm,
                        struct wire_reply *reply) {
    const struct recording *r = player_recording(arm->player);
    reply->add.arm = runner->arm_count - 1;
    reply->add.calls = recording_calls(r);
}

void runner_add_recording(struct runner *runner, const struct wire_add *request,
                          struct wire_reply *reply) {
    const struct shape padded = request->padded;
    char why[RECORDING_WHY] = "";
    reply->add.arm = -1;
    struct arm *arm = &runner->arms[runner->arm_count];
    *arm = (struct arm){
        .ops = &played,
        .state = arm,
        .problem = runner_problem(runner, padded),
        .operands = runner_operands(runner, padded, (enum layout_operands)request->operands),
        .variant = -1,
        .reads = WIRE_B_ROW | WIRE_B_COL};
    const size_t bytes =
        request->bytes < runner->shared_bytes ? request->bytes : runner->shared_bytes;
    const int status = player_open(runner->shared, bytes, &arm->player, why);
    const int calls = status == 0 ? recording_calls(player_recording(arm->player)) : 0;
    if (status < 0 || !arm->operands)
        runner_fault(reply, "no room for a recording and its operands");
    else if (status > 0 || calls > layout_calls(runner->shape))
        snprintf(reply->text, sizeof reply->text, "%s", *why ? why : "it has too many calls");
    else if (runner_row(runner, calls, padded.m * padded.n) < 0)
        runner_fault(reply, "no room for operands and an output of every call");
    else if (!lie_there(runner, arm))
        snprintf(reply->text, sizeof reply->text,
                 "operands do not lie where they lay when it was recorded");
    else {
        runner->arm_count++;
        tell_loaded(runner, arm, reply);
        return;
    }
    player_close(arm->player);
}

/* Writes the inputs of the call: those of its number, or of the call that is shown the ones that the
 * request names. 0 or -1. */
static int write_inputs(struct runner *runner, const struct wire_play *request,
                        const struct arm *arm, int number) {
    struct fill fills[3];
    if (number != request->shown)
        return runner_write_operands(runner, number,
                                     seed_derive(request->seed, SEED_BLOCK, (uint64_t)number));
    inputs_fills(&arm->operands->calls[number], request->shown_kind, request->shown_seed, fills);
    return runner->device->fill(runner->device_state, fills, 3);
}

/* One call on inputs, and a look at its C. Returns an outcome. */
static int play_call(struct runner *runner, const struct wire_play *request, struct arm *arm,
                     int number, struct wire_reply *reply) {
    const struct guarded *c = &runner->row[number];
    const char *why;
    const struct look look = runner_look(runner, arm, c, request->secret);
    if (write_inputs(runner, request, arm, number) < 0 ||
        runner_empty_row(runner, runner->row_count) < 0 ||
        runner->device->sync(runner->device_state, &why) < 0) {
        runner_fault(reply, "fresh inputs could not be made");
        return OUTCOME_OK;
    }
    if (!runner_await(runner, arm, play_next(arm, NULL), reply))
        return reply->outcome;
    if (runner->device->look(runner->device_state, &look, number) < 0 ||
        (number == request->shown &&
         runner->device->copy_out(runner->device_state, c->data, runner->shape.m, runner->shape.n,
                                  arm->problem.n, runner->shared) < 0))
        runner_fault(reply, "an output cannot be looked at");
    return OUTCOME_OK;
}

void runner_play(struct runner *runner, const struct wire_play *request, struct wire_reply *reply) {
    struct seen seen[DEVICE_LOOKS];
    if (request->arm < 0 || request->arm >= runner->arm_count ||
        !runner->arms[request->arm].player) {
        runner_fault(reply, "the arm is no recording");
        return;
    }
    struct arm *arm = &runner->arms[request->arm];
    const int calls = recording_calls(player_recording(arm->player));
    arm->next_call = 0;
    if (!runner_await(runner, arm, player_restore(arm->player), reply))
        return;
    for (int i = 0; i < calls && reply->outcome == OUTCOME_OK && reply->status == 0; i++)
        reply->outcome = play_call(runner, request, arm, i, reply);
    if (reply->outcome != OUTCOME_OK || reply->status != 0)
        return;
    if (runner->device->looks(runner->device_state, calls, seen) < 0)
        runner_fault(reply, "the outputs cannot be looked at");
    for (int i = 0; i < calls; i++)
        reply->play.seals[i] = seen[i].seal;
}
