/* Runner: timed blocks. A block visits every arm by every lens. */
#include <stdio.h>

#include "bench/base/outcome.h"
#include "bench/replay/player.h"
#include "bench/runner/chain.h"
#include "bench/runner/edge.h"
#include "bench/runner/inspect.h"
#include "bench/runner/requests/requests.h"
#include "bench/runner/visit.h"
#include "correctness/numbers/input.h"
#include "timing/schedule.h"

static int refresh(struct runner *runner, const struct wire_time *request, uint64_t pass,
                   int output_count, struct wire_reply *reply) {
    if (runner_refresh(runner, visit_inputs(request, pass), output_count) == 0)
        return 0;
    runner_fault(reply, "fresh inputs could not be made");
    return -1;
}

static int failed(struct wire_reply *reply, const char *text) {
    runner_fault(reply, text);
    return OUTCOME_OK;
}

/* Of so many calls in a row the one that is looked at: half of the time the last, at whose end
 * work that has left the stream is most likely to be late. */
static int draw_call(const struct wire_time *request, uint64_t pass, int calls) {
    const uint64_t draw = seed_derive(request->seed, SEED_DRAWN, pass);
    return draw % 2 ? calls - 1 : (int)(draw / 2 % (uint64_t)calls);
}

/* Whether no stranger's code runs in this process, but our libraries' and recordings' alone. */
static bool is_ours(const struct runner *runner) {
    for (int i = 0; i < runner->arm_count; i++)
        if (runner->arms[i].loaded.library)
            return false;
    return true;
}

/* Inputs of the pass's own: written now; or before each call behind a hold, where a stranger could
 * have changed them for the next arm, or where a call in a row has all of them anew. */
static int begin_pass(struct runner *runner, const struct wire_time *request, enum lens lens,
                      uint64_t pass, bool ours, struct wire_reply *reply) {
    const bool held = words_lens_is(lens, LENS_HELD);
    runner->inputs_there = held && ours && !request->interval.whole;
    if (!held || runner->inputs_there)
        return refresh(runner, request, pass, runner->inputs_there ? 0 : request->arm_count, reply);
    runner->inputs_seed = visit_inputs(request, pass);
    return 0;
}

/* One visit to every arm by one lens, in an order of the pass's own, on inputs of its own and into
 * outputs full of NaN. Whatever is done to a suspect is done to all. In server mode the device has
 * been idle for as long before each arm: that changes what a call costs. Returns an outcome. */
static int time_pass(struct runner *runner, const struct wire_time *request, enum lens lens,
                     uint64_t visit, float *samples, struct wire_reply *reply) {
    const uint64_t pass = visit * LENS_COUNT + (uint64_t)lens;
    const bool ours = is_ours(runner);
    const bool seal = request->suspect_count > 0 && !words_lens_is(lens, LENS_HOST_CLOCK) &&
                      !(words_lens_is(lens, LENS_HELD) && ours);
    int arms = request->arm_count, order[WIRE_ARMS];
    schedule_shuffle(seed_derive(request->seed, SEED_ORDER, pass), arms, order);
    runner->secret = visit_secret(request, pass);
    if (begin_pass(runner, request, lens, pass, ours, reply) < 0)
        return OUTCOME_OK;
    const bool many = words_lens_is(lens, LENS_MANY);
    runner->drawn = many ? draw_call(request, pass, request->interval.stream_calls) : -1;
    if (many && edge_time(runner, &request->interval) < 0)
        return failed(reply, "changes of operands between calls in a row cannot be timed");
    for (int i = 0; i < arms; i++) {
        const int slot = order[i], output = visit_output(request, slot, visit);
        struct wire_interval how = request->interval;
        if (request->server)
            how.gap_seconds =
                schedule_gap(seed_derive(request->seed, SEED_GAP, pass), request->qps);
        struct runner_times times;
        struct arm *arm = &runner->arms[request->arms[slot]];
        int outcome = runner_interval(runner, &how, arm, lens, output, seal, &times, reply);
        if (outcome != OUTCOME_OK || reply->status != 0) {
            reply->time.failed_arm = request->arms[slot];
            return outcome;
        }
        samples[slot] = (float)times.seconds;
        if (words_lens_is(lens, LENS_HOST_TIME))
            samples[arms + slot] = (float)times.host_seconds;
        if (request->suspect_count > 0 && inspect_hide(runner, request, pass, arm, output,
                                                       words_lens_is(lens, LENS_HELD), reply) < 0)
            return OUTCOME_OK;
    }
    runner->inputs_there = false;
    return request->suspect_count == 0 ? OUTCOME_OK
                                       : inspect_outputs(runner, request, visit, pass, seal, reply);
}

/* A pass by every lens, in an order of the block's own. Returns an outcome. */
static int time_block(struct runner *runner, const struct wire_time *request, uint64_t visit,
                      float *samples, struct wire_reply *reply) {
    enum lens lenses[LENS_COUNT];
    float *at[LENS_COUNT];
    int count = 0, order[LENS_COUNT], outcome = OUTCOME_OK;
    for (int lens = 0; lens < LENS_COUNT; lens++)
        if (request->lenses & 1 << lens) {
            lenses[count] = (enum lens)lens;
            at[count++] = samples;
            samples += wire_lens_columns((enum lens)lens) * (size_t)request->arm_count;
        }
    schedule_shuffle(seed_derive(request->seed, SEED_ORDER, ~visit), count, order);
    for (int i = 0; i < count && outcome == OUTCOME_OK && reply->status == 0; i++)
        outcome = time_pass(runner, request, lenses[order[i]], visit, at[order[i]], reply);
    return outcome;
}

/* Room for what the request needs on the device. 0, or -1 with a text. */
static int reserve_room(struct runner *runner, const struct wire_time *request, char *text,
                        size_t size) {
    int64_t largest = 0;
    int held = 1;
    for (int i = 0; i < request->arm_count; i++) {
        struct arm *arm = &runner->arms[request->arms[i]];
        int64_t elements = runner_output_elements(arm);
        largest = elements > largest ? elements : largest;
        if (request->reads[i])
            arm->reads = request->reads[i];
        const int calls = arm->player ? recording_calls(player_recording(arm->player)) : 0;
        held = calls > held ? calls : held;
    }
    snprintf(text, size, "no room for an output of every arm");
    if (runner_outputs(runner, request->arm_count, largest) < 0)
        return -1;
    snprintf(text, size, "no room for an output of every call in a row");
    if (request->lenses & 1 << LENS_STREAM && request->interval.stream_calls > held)
        held = request->interval.stream_calls;
    if (request->lenses & words_lenses_with(LENS_HELD) &&
        (held > RUNNER_CHAIN || chain_reserve(runner, held, largest) < 0))
        return -1;
    *text = 0;
    return 0;
}

void runner_time(struct runner *runner, const struct wire_time *request, struct wire_reply *reply) {
    const size_t floats = wire_block_floats(request);
    reply->time.failed_arm = -1;
    if (request->lenses & words_lenses_with(LENS_HELD) && !runner->device->hold) {
        runner_fault(reply, "this device has no stream to hold: no lens but call and wait");
        return;
    }
    if (reserve_room(runner, request, reply->text, sizeof reply->text) < 0) {
        reply->outcome = OUTCOME_NO_MEMORY;
        return;
    }
    uint64_t room = runner->shared_bytes / sizeof(float) / floats;
    if (request->most_blocks < room)
        room = request->most_blocks < 1 ? 1 : request->most_blocks;
    float *samples = runner->shared;
    uint64_t blocks = 0;
    double start = runner_now();
    do {
        const uint64_t block = request->first_block + blocks;
        reply->outcome = time_block(runner, request, block, samples + blocks * floats, reply);
        if (reply->outcome != OUTCOME_OK || reply->status != 0)
            break;
        blocks++;
    } while (blocks < room && runner_now() - start < request->seconds);
    reply->time.blocks = blocks;
    if (request->suspect_count > 0 && reply->outcome == OUTCOME_OK && reply->status == 0)
        reply->outcome = inspect_guards(runner, request, reply);
}
