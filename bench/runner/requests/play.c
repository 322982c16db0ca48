/* Runner: a recording as an arm, in a process that has never loaded the kernel's library. */
#include "bench/runner/requests/requests.h"

#include <stdio.h>

#include "bench/base/crash.h"
#include "bench/base/outcome.h"
#include "bench/replay/player.h"
#include "bench/runner/chain.h"
#include "bench/runner/interval.h"
#include "correctness/numbers/input.h"

/* Every launch is the recording's next call, into the C of that call. */
static int play_next(void *state, const struct gemm_args *args) {
    struct runner *runner = state;
    (void)args;
    const int number = runner->next_call;
    runner->next_call = (number + 1) % player_calls(runner->player);
    return player_play(runner->player, number);
}

static const struct kernel_ops played = {
    .abi = GEMMGATE_ABI, .name = "replayed", .launch = play_next, .explain = player_explain};

static bool is_here(uint64_t address, const uint16_t *data) {
    return address == (uint64_t)(uintptr_t)data;
}

/* Whether the operands lie where they lay when the calls were recorded. */
static bool lie_there(const struct runner *runner, const struct inputs *inputs) {
    for (int i = 0; i < player_calls(runner->player); i++) {
        const struct player_operands operands = player_operands(runner->player, i);
        if (!is_here(operands.a, inputs->a.data) || !is_here(operands.b_row, inputs->b_row.data) ||
            !is_here(operands.b_col, inputs->b_col.data) ||
            !is_here(operands.c, runner->outputs[i].data))
            return false;
    }
    return true;
}

void runner_load(struct runner *runner, const struct wire_load *request, struct wire_reply *reply) {
    const struct shape padded = request->padded;
    char why[RECORDING_WHY] = "", told[WIRE_TEXT];
    crash_step("loading a recording");
    const struct inputs *inputs = runner_operands(runner, padded);
    if (request->sandbox && runner_lock_in(runner, told) < 0) {
        runner_fault(reply, "the sandbox cannot be set up; --no-sandbox goes without");
        return;
    }
    const size_t bytes =
        request->bytes < runner->shared_bytes ? request->bytes : runner->shared_bytes;
    const int status = player_open(runner->shared, bytes, &runner->player, why);
    const int calls = status == 0 ? player_calls(runner->player) : 0;
    if (status < 0 || !inputs) {
        runner_fault(reply, "no room for a recording and its operands");
    } else if (status > 0 || calls > WIRE_RECORDED) {
        snprintf(reply->text, sizeof reply->text, "%s", *why ? why : "it has too many calls");
    } else if (runner_outputs(runner, calls + 1, padded.m * padded.n) < 0) {
        runner_fault(reply, "no room for an output of every call");
    } else if (!lie_there(runner, inputs)) {
        snprintf(reply->text, sizeof reply->text,
                 "operands do not lie where they lay when it was recorded");
    } else {
        runner->played = (struct arm){
            .ops = &played,
            .state = runner,
            .problem = runner_problem(runner, padded),
            .inputs = inputs,
            .variant = -1,
        };
        reply->load.replayable = 1;
        reply->load.calls = calls;
        reply->load.streams = player_streams(runner->player);
        reply->load.side_by_side = player_side_by_side(runner->player);
        reply->load.unread = player_unread(runner->player);
    }
}

/* From the first call on, with the kernel's memory as it was. Returns an outcome. */
static int begin_again(struct runner *runner, struct wire_reply *reply) {
    const int status = player_restore(runner->player);
    runner->next_call = 0;
    if (status == 0)
        return OUTCOME_OK;
    snprintf(reply->text, sizeof reply->text, "its memory cannot be restored: %s",
             player_explain(status));
    return OUTCOME_DEVICE_ERROR;
}

/* One call on the inputs of its number, and a look at its C. Returns an outcome. */
static int play_call(struct runner *runner, const struct wire_play *request, int number, int calls,
                     struct wire_reply *reply) {
    struct arm *arm = &runner->played;
    const uint64_t seed = number == request->shown
                              ? request->shown_seed
                              : seed_derive(request->seed, SEED_BLOCK, (uint64_t)number);
    const struct look look = runner_look(runner, arm, &runner->outputs[number], request->secret);
    if (runner_refresh(runner, seed, calls + 1) < 0) {
        runner_fault(reply, "fresh inputs could not be made");
        return OUTCOME_OK;
    }
    if (!runner_await(runner, arm, play_next(runner, NULL), reply))
        return reply->outcome;
    if (runner->device->look(runner->device_state, &look, number) < 0 ||
        (number == request->shown &&
         runner->device->copy_out(runner->device_state, runner->outputs[number].data,
                                  runner->shape.m, runner->shape.n, arm->problem.n,
                                  runner->shared) < 0))
        runner_fault(reply, "an output cannot be looked at");
    return OUTCOME_OK;
}

void runner_play(struct runner *runner, const struct wire_play *request, struct wire_reply *reply) {
    struct seen seen[DEVICE_LOOKS];
    if (!runner->player) {
        runner_fault(reply, "no recording is loaded");
        return;
    }
    const int calls = player_calls(runner->player);
    crash_step("playing a recording");
    reply->outcome = begin_again(runner, reply);
    for (int i = 0; i < calls && reply->outcome == OUTCOME_OK && reply->status == 0; i++)
        reply->outcome = play_call(runner, request, i, calls, reply);
    if (reply->outcome != OUTCOME_OK || reply->status != 0)
        return;
    if (runner->device->looks(runner->device_state, calls, seen) < 0)
        runner_fault(reply, "the outputs cannot be looked at");
    for (int i = 0; i < calls; i++)
        reply->play.seals[i] = seen[i].seal;
}

struct timing {
    struct runner *runner;
    const struct wire_time_played *request;
    struct wire_reply *reply;
    struct arm *library;
    int calls;
    uint64_t passes;
};

/* A call of the library that is not timed: the recording finds the caches as another kernel leaves
 * them, and not as filling operands does. Returns an outcome. */
static int launch_library(const struct timing *t) {
    const struct gemm_args args = runner_args(t->runner, t->library, &t->runner->outputs[t->calls]);
    const int status = t->library->ops->launch(t->library->state, &args);
    if (status == 0)
        return OUTCOME_OK;
    runner_explain(t->library->ops, status, t->reply->text);
    return OUTCOME_LAUNCH_FAILED;
}

/* NaN in the call's own C alone, and then fresh inputs: what the recording reads is in the cache,
 * as other arms of a run leave it there, whichever copy of B it is. 0 or -1. */
static int refresh(struct runner *runner, int output, uint64_t seed) {
    const struct guarded *c = &runner->outputs[output];
    const struct fill poison = poison_fill(c, c->elements);
    return runner->device->fill(runner->device_state, &poison, 1) < 0
               ? -1
               : runner_refresh(runner, seed, 0);
}

/* The recording behind the library and the library behind the recording, on fresh inputs: neither
 * follows itself, which makes a short kernel faster, as neither does among the arms of a run.
 * Returns an outcome. */
static int time_pair(struct timing *t, enum lens lens, float samples[2]) {
    struct runner *runner = t->runner;
    const struct wire_interval how = {.cache = CACHE_WARM, .stream_calls = t->calls};
    const int output = runner->next_call;
    const uint64_t pass = t->passes++;
    if (refresh(runner, output, seed_derive(t->request->seed, SEED_BLOCK, pass)) < 0) {
        runner_fault(t->reply, "fresh inputs could not be made");
        return OUTCOME_OK;
    }
    if (lens == LENS_STREAM && chain_time_edge(runner, t->calls, how.cache) < 0) {
        runner_fault(t->reply, "changes of operands between calls in a row cannot be timed");
        return OUTCOME_OK;
    }
    int outcome = launch_library(t);
    for (int i = 0; i < 2 && outcome == OUTCOME_OK; i++) {
        struct runner_times times;
        struct arm *arm = i == 0 ? &runner->played : t->library;
        outcome = runner_interval(runner, &how, arm, lens, i == 0 ? output : t->calls,
                                  RUNNER_NOTHING, &times, t->reply->text);
        samples[i] = (float)times.seconds;
    }
    return outcome;
}

/* Returns an outcome. */
static int time_block(struct timing *t, float *samples) {
    int outcome = begin_again(t->runner, t->reply);
    for (int i = 0; i < t->calls && outcome == OUTCOME_OK && t->reply->status == 0; i++)
        outcome = time_pair(t, LENS_DEVICE, samples + 2 * i);
    if (outcome == OUTCOME_OK && t->reply->status == 0)
        outcome = begin_again(t->runner, t->reply);
    if (outcome == OUTCOME_OK && t->reply->status == 0)
        outcome = time_pair(t, LENS_STREAM, samples + 2 * (size_t)t->calls);
    return outcome;
}

void runner_time_played(struct runner *runner, const struct wire_time_played *request,
                        struct wire_reply *reply) {
    if (!runner->player || request->library < 0 || request->library >= runner->arm_count) {
        runner_fault(reply, "no recording is loaded, or no library");
        return;
    }
    if (!runner->device->hold) {
        runner_fault(reply, "this device has no stream to hold");
        return;
    }
    struct timing t = {.runner = runner,
                       .request = request,
                       .reply = reply,
                       .library = &runner->arms[request->library],
                       .calls = player_calls(runner->player)};
    const int64_t elements = runner_output_elements(&runner->played);
    crash_step("timing a recording");
    if (chain_reserve(runner, t.calls, t.calls, elements) < 0) {
        runner_fault(reply, "no room for an output of every call in a row");
        return;
    }
    const size_t floats = wire_played_floats(t.calls);
    uint64_t room = runner->shared_bytes / sizeof(float) / floats, blocks = 0;
    const double start = runner_now();
    if (request->most_blocks < room)
        room = request->most_blocks;
    while (blocks < room && (blocks == 0 || runner_now() - start < request->seconds)) {
        reply->outcome = time_block(&t, (float *)runner->shared + blocks * floats);
        if (reply->outcome != OUTCOME_OK || reply->status != 0)
            break;
        blocks++;
    }
    reply->time_played.blocks = blocks;
}
