/* Runner: timed blocks. A block visits every arm by every lens. */
#include <math.h>
#include <stdio.h>

#include "bench/base/outcome.h"
#include "bench/record/player.h"
#include "bench/runner/block.h"
#include "bench/runner/inspect.h"
#include "bench/runner/requests/requests.h"
#include "correctness/numbers/input.h"
#include "timing/schedule.h"

/* Whether no stranger's code runs in this process, but our libraries' and recordings' alone. */
static bool is_ours(const struct runner *runner) {
    for (int i = 0; i < runner->arm_count; i++)
        if (runner->arms[i].loaded.library)
            return false;
    return true;
}

/* A block to every arm by one lens. */
struct pass {
    enum lens lens;
    uint64_t block, number;
    int calls;    /* in an interval, all of which are prepared */
    int ends;     /* not 0: a row that is no sample ends after so many */
    int looked;   /* the number of that whose C is looked at */
    bool rewrite; /* operands before each arm, since the arm before could change them */
    bool seal;    /* C is looked at behind the stop, too */
};

/* Such a row has a number of its own. */
enum { PASSES = LENS_COUNT + 1 };

static struct pass plan_pass(const struct runner *runner, const struct wire_time *request,
                             enum lens lens, uint64_t block, int ends) {
    const bool held = words_lens_is(lens, LENS_HELD), many = words_lens_is(lens, LENS_MANY);
    const bool ours = is_ours(runner);
    const int calls = many ? request->interval.stream_calls : 1;
    const uint64_t draw = seed_derive(request->seed, SEED_DRAWN, ~block);
    return (struct pass){.lens = lens,
                         .block = block,
                         .number = block * PASSES + (uint64_t)(ends ? LENS_COUNT : (int)lens),
                         .calls = calls,
                         .ends = ends,
                         .looked = ends ? ends - 1 : (int)(draw % (uint64_t)calls),
                         .rewrite = held && !ours,
                         .seal = request->suspect_count > 0 &&
                                 !words_lens_is(lens, LENS_HOST_CLOCK) && !(held && ours)};
}

/* Writes operands of the pass's own for each call, and NaN to outputs that calls write. 0 or -1. */
static int write_pass(struct runner *runner, const struct wire_time *request,
                      const struct pass *pass) {
    const int outputs = words_lens_is(pass->lens, LENS_HELD) ? 0 : request->arm_count;
    const int last = pass->ends - 1;
    int lost = 0;
    for (int call = pass->calls - 1; call > 0; call--)
        lost |= runner_write_operands(runner, call, runner->inputs,
                                      block_inputs(request, pass->number, call));
    lost |= runner_refresh(runner, block_inputs(request, pass->number, 0), outputs);
    runner->ends = pass->ends;
    runner->late_a = block_inputs(request, pass->number, last);
    return lost;
}

/* Before the i-th arm of the pass. A of a row's last call is what the row before has made of it. */
static int prepare_arm(struct runner *runner, const struct wire_time *request,
                       const struct pass *pass, int i, struct wire_reply *reply) {
    int lost = i == 0 || pass->rewrite ? write_pass(runner, request, pass) : 0;
    if (pass->ends)
        lost |= runner_write_a(runner, pass->ends - 1, ~runner->late_a);
    if (lost == 0)
        return 0;
    runner_fault(reply, "fresh inputs could not be made");
    return -1;
}

/* One interval of the arm in that slot. In server mode the device has been idle for as long before
 * each arm: that changes what a call costs. Returns an outcome. */
static int time_arm(struct runner *runner, const struct wire_time *request, const struct pass *pass,
                    int slot, float *samples, struct wire_reply *reply) {
    const int output = block_output(request, slot, pass->block);
    struct arm *arm = &runner->arms[request->arms[slot]];
    struct wire_interval how = request->interval;
    struct runner_times times;
    how.behind = (pass->ends ? pass->ends : pass->calls) - 1 - pass->looked;
    if (request->server)
        how.gap_seconds =
            schedule_gap(seed_derive(request->seed, SEED_GAP, pass->number), request->qps);
    *wire_in_hand(runner->shared, runner->shared_bytes) = request->arms[slot];
    const int outcome =
        runner_interval(runner, &how, arm, pass->lens, output, pass->seal, &times, reply);
    if (outcome != OUTCOME_OK || reply->status != 0) {
        reply->time.failed_arm = request->arms[slot];
        return outcome;
    }
    samples[slot] = (float)times.seconds;
    if (words_lens_is(pass->lens, LENS_HOST_TIME))
        samples[request->arm_count + slot] = (float)times.host_seconds;
    if (request->suspect_count > 0) /* where that fails the reply says so */
        inspect_hide(runner, request, pass->number, arm, output,
                     words_lens_is(pass->lens, LENS_HELD), reply);
    return OUTCOME_OK;
}

/* In an order of the pass's own. Returns how many there are. */
static int timed_slots(const struct wire_time *request, const struct pass *pass,
                       int slots[WIRE_ARMS]) {
    int order[WIRE_ARMS], count = 0;
    schedule_shuffle(seed_derive(request->seed, SEED_ORDER, pass->number), request->arm_count,
                     order);
    for (int i = 0; i < request->arm_count; i++)
        if (!wire_is_left_out(request, order[i]))
            slots[count++] = order[i];
    return count;
}

static void fill_left_out(const struct wire_time *request, const struct pass *pass,
                          float *samples) {
    const int columns = (int)wire_lens_columns(pass->lens), arms = request->arm_count;
    for (int i = 0; i < columns * arms; i++)
        if (wire_is_left_out(request, i % arms))
            samples[i] = NAN;
}

/* The arms in an order of the pass's own, on inputs of its own and into outputs full of NaN.
 * Whatever is done to a suspect is done to all. Returns an outcome. */
static int time_pass(struct runner *runner, const struct wire_time *request,
                     const struct pass *pass, float *samples, struct wire_reply *reply) {
    int slots[WIRE_ARMS];
    const int count = timed_slots(request, pass, slots);
    runner->secret = block_secret(request, pass->number);
    for (int i = 0; i < count; i++) {
        if (prepare_arm(runner, request, pass, i, reply) < 0)
            return OUTCOME_OK;
        const int outcome = time_arm(runner, request, pass, slots[i], samples, reply);
        if (outcome != OUTCOME_OK || reply->status != 0)
            return outcome;
    }
    fill_left_out(request, pass, samples);
    return request->suspect_count == 0 ? OUTCOME_OK
                                       : inspect_outputs(runner, request, pass->block, pass->number,
                                                         pass->looked, pass->seal, reply);
}

/* One block in so many has a row that may end early, before its own. */
#define EARLY_BLOCKS 2

/* The judge looks at the C of one drawn call of each row, so that no call can be left out.
 *
 * A kernel could put a product off until a later call. So some rows end after a drawn number
 * of calls, and the C of their last call is looked at. They are no samples. No call knows whether it
 * is the last.
 *
 * A kernel could also make a product ahead, in an earlier call. So A of the last call of such a row
 * is written right in front of that call. The kernel that writes it lets the next one begin at once,
 * so that a dependent launch which does not wait reads the A from before. Until then such a row is as
 * any other: the operands of all calls that it could have are written, and read before it.
 *
 * Returns after how many calls such a row of this block ends; 0: it has none. */
static int draw_early(const struct wire_time *request, enum lens lens, uint64_t block) {
    const uint64_t draw = seed_derive(request->seed, SEED_DRAWN, block);
    const int calls = request->interval.stream_calls;
    return request->suspect_count > 0 && words_lens_is(lens, LENS_MANY) && calls > 1 &&
                   draw % EARLY_BLOCKS == 0
               ? 1 + (int)(draw / EARLY_BLOCKS % (uint64_t)calls)
               : 0;
}

/* A block's block by one lens. Returns an outcome. */
static int time_lens(struct runner *runner, const struct wire_time *request, enum lens lens,
                     uint64_t block, float *samples, struct wire_reply *reply) {
    const int early = draw_early(request, lens, block);
    int outcome = OUTCOME_OK;
    if (early > 0) {
        float unused[2 * WIRE_ARMS];
        const struct pass pass = plan_pass(runner, request, lens, block, early);
        outcome = time_pass(runner, request, &pass, unused, reply);
    }
    if (outcome != OUTCOME_OK || reply->status != 0)
        return outcome;
    const struct pass pass = plan_pass(runner, request, lens, block, 0);
    return time_pass(runner, request, &pass, samples, reply);
}

/* A pass by every lens, in an order of the block's own. Returns an outcome. */
static int time_block(struct runner *runner, const struct wire_time *request, uint64_t block,
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
    schedule_shuffle(seed_derive(request->seed, SEED_ORDER, ~block), count, order);
    for (int i = 0; i < count && outcome == OUTCOME_OK && reply->status == 0; i++)
        outcome = time_lens(runner, request, lenses[order[i]], block, at[order[i]], reply);
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
    snprintf(text, size, "no room for operands and an output of every call in a row");
    if (request->lenses & 1 << LENS_STREAM && request->interval.stream_calls > held)
        held = request->interval.stream_calls;
    if (request->lenses & words_lenses_with(LENS_HELD) && runner_row(runner, held, largest) < 0)
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
    uint64_t room = wire_block_room(request, runner->shared_bytes);
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
