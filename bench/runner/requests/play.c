/* Runner: a recording as an arm, in a process that has never loaded the kernel's library. */
#include "bench/runner/requests/requests.h"

#include <stdio.h>

#include "bench/base/outcome.h"
#include "bench/record/player.h"

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
        reply->add.arm = runner->arm_count++;
        reply->add.calls = calls;
        return;
    }
    player_close(arm->player);
}
