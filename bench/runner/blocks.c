/* Runner: timed blocks, closed (a block visits every arm by every lens) and open loop (arrivals).
 */
#include "bench/runner/requests.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "bench/base/error.h"
#include "bench/base/outcome.h"
#include "bench/runner/interval.h"
#include "correctness/numbers/half.h"
#include "correctness/numbers/input.h"
#include "timing/schedule.h"
#include "timing/stats.h"

/* Until the moment on runner_now's clock. The device is idle and the processor is not: after a
 * sleep it launches 5 us more slowly (16 instead of 11 on an H100's host), by an amount that
 * differs from process to process, for every arm alike. */
static void wait_until(double moment) {
    while (runner_now() < moment)
        ;
}

/* One call in so many has its drain timed instead of its C sealed. */
#define DRAIN_ONE_IN 8

/* After one pass in so many, and after those in which a C is wrong, A and B must be as they were.
 */
#define INPUTS_ONE_IN 2

static uint64_t inputs_seed(const struct wire_time *request, uint64_t pass) {
    return seed_derive(request->seed, SEED_BLOCK, pass);
}

static int refresh(struct runner *runner, const struct wire_time *request, uint64_t pass,
                   struct wire_reply *reply) {
    if (runner_refresh(runner, inputs_seed(request, pass), request->arm_count) == 0)
        return 0;
    reply->status = -1;
    snprintf(reply->text, sizeof reply->text, "fresh inputs could not be made");
    return -1;
}

/* C buffers rotate over the arms, so that no arm owns a luckier address. */
static int output_of(const struct wire_time *request, int slot, uint64_t block) {
    return (int)(((uint64_t)slot + block) % (uint64_t)request->arm_count);
}

/* All arms of a pass have the same product to make, and what one has made must not be there for the
 * next to copy: it lies masked from the end of its interval until it is looked at. Twice is not at
 * all. */
static int mask(const struct runner *runner, const struct wire_time *request, uint64_t pass,
                int output) {
    const struct guarded *c = &runner->outputs[output];
    return runner->device->mask(
        runner->device_state, c->data, c->elements,
        seed_derive(request->seed, SEED_MASK, pass * WIRE_ARMS + (uint64_t)output));
}

/* Before the next interval begins. */
static int hide(const struct runner *runner, const struct wire_time *request, uint64_t pass,
                const struct arm *arm, int output, struct wire_reply *reply) {
    const char *why = "";
    if (arm->baseline && arm->baseline->forget)
        arm->baseline->forget(arm->state);
    if (mask(runner, request, pass, output) == 0 &&
        runner->device->sync(runner->device_state, &why) == 0)
        return 0;
    reply->status = -1;
    snprintf(reply->text, sizeof reply->text, "the output of a timed call cannot be masked");
    return -1;
}

/* A call that was skipped or answered with an older product has all of C wrong; one that is wrong
 * here and there may be a race in an honest kernel. */
static int wrong(const struct seen *now, unsigned long long all) {
    return now->nan + now->off >= all - all / 2 ? OUTCOME_REPLAYED : OUTCOME_UNSTABLE;
}

/* What a suspect has left in C: at the stop of its interval (unless its drain was timed) and now,
 * against what the reference has left. Returns an outcome. */
static int judge_looks(const struct runner *runner, const struct wire_time *request, int suspect,
                       uint64_t block, bool sealed, const struct seen *then, const struct seen *now,
                       struct wire_reply *reply) {
    const unsigned long long all =
        (unsigned long long)runner->shape.m * (unsigned long long)runner->shape.n;
    reply->time.failed_arm = request->arms[request->suspects[suspect]];
    if (sealed && then->seal != now->seal) {
        snprintf(reply->text, sizeof reply->text,
                 "block %llu: C changed after the interval had ended; %llu elements were not "
                 "written then",
                 (unsigned long long)block, (unsigned long long)then->nan);
        return OUTCOME_ESCAPED;
    }
    if (now->nan > 0) {
        snprintf(reply->text, sizeof reply->text,
                 "block %llu: %llu of %llu elements of C were left unwritten or NaN",
                 (unsigned long long)block, (unsigned long long)now->nan, all);
        return wrong(now, all);
    }
    if (request->reference >= 0 && now->off > 0) {
        snprintf(reply->text, sizeof reply->text,
                 "block %llu: %llu of %llu elements of C are off by up to %.4g from those of a "
                 "library on the same fresh inputs; %.4g is allowed",
                 (unsigned long long)block, (unsigned long long)now->off, all, now->deviation,
                 request->tolerance[suspect]);
        return wrong(now, all);
    }
    if (request->reference >= 0 && now->coarse > request->coarse[suspect]) {
        snprintf(
            reply->text, sizeof reply->text,
            "block %llu: %llu of %llu elements of C are more than %g last places from those of "
            "a library on the same fresh inputs; by its checks %llu may be",
            (unsigned long long)block, (unsigned long long)now->coarse, all,
            (double)(2 * HALF_COARSE), (unsigned long long)request->coarse[suspect]);
        return OUTCOME_PRECISION;
    }
    reply->time.failed_arm = -1;
    return OUTCOME_OK;
}

/* Whether all arms of the pass were given the same A and B. An arm that changes them changes the
 * products of the others, and of the reference. Returns an outcome. */
static int inspect_inputs(struct runner *runner, const struct wire_time *request, uint64_t block,
                          uint64_t pass, struct wire_reply *reply) {
    const uint64_t seed = inputs_seed(request, pass);
    uint64_t changed = 0;
    int status = 0;
    for (int i = 0; i < runner->operand_count && status == 0; i++)
        status = inputs_check(runner->device, runner->device_state, &runner->operands[i],
                              INPUT_NORMAL, seed, &changed);
    if (status < 0) {
        reply->status = -1;
        snprintf(reply->text, sizeof reply->text, "the inputs of timed calls cannot be looked at");
    }
    if (changed == 0)
        return OUTCOME_OK;
    reply->time.failed_arm = request->arms[request->suspects[0]];
    snprintf(reply->text, sizeof reply->text, "block %llu: %llu elements of A or B were changed",
             (unsigned long long)block, (unsigned long long)changed);
    return OUTCOME_INPUT_CHANGED;
}

/* Looks at what every suspect has left. Returns an outcome. */
static int inspect(struct runner *runner, const struct wire_time *request, uint64_t block,
                   uint64_t pass, const enum runner_behind *behind, struct wire_reply *reply) {
    const int first = request->arm_count, count = request->suspect_count;
    struct seen seen[DEVICE_LOOKS];
    int lost = 0, outcome = OUTCOME_OK;
    if (request->reference >= 0)
        lost |= mask(runner, request, pass, output_of(request, request->reference, block));
    for (int i = 0; i < count; i++) {
        const int slot = request->suspects[i], output = output_of(request, slot, block);
        lost |= mask(runner, request, pass, output);
        struct look look =
            runner_look(runner, &runner->arms[request->arms[slot]], output, runner->secret);
        if (request->reference >= 0) {
            look.reference = runner->outputs[output_of(request, request->reference, block)].data;
            look.reference_ld = runner->arms[request->arms[request->reference]].problem.n;
            look.tolerance = request->tolerance[i];
        }
        lost |= runner->device->look(runner->device_state, &look, first + i);
    }
    if (lost < 0 || runner->device->looks(runner->device_state, first + count, seen) < 0) {
        reply->status = -1;
        snprintf(reply->text, sizeof reply->text, "the outputs of timed calls cannot be looked at");
        return OUTCOME_OK;
    }
    for (int i = 0; i < count && outcome == OUTCOME_OK; i++) {
        const int slot = request->suspects[i];
        outcome = judge_looks(runner, request, i, block, behind[slot] == RUNNER_SEAL,
                              &seen[output_of(request, slot, block)], &seen[first + i], reply);
    }
    if (outcome == OUTCOME_OK && seed_derive(request->seed, SEED_INPUTS, pass) % INPUTS_ONE_IN != 0)
        return OUTCOME_OK;
    const int inputs = inspect_inputs(runner, request, block, pass, reply);
    return inputs != OUTCOME_OK ? inputs : outcome;
}

/* One visit to every arm by one lens, in an order of the pass's own, on inputs of its own and into
 * outputs full of NaN. Whatever is done to a suspect is done to all. In server mode the device has
 * been idle for as long before each arm: that changes what a call costs. Returns an outcome. */
static int time_pass(struct runner *runner, const struct wire_time *request, enum lens lens,
                     uint64_t block, float *samples, struct wire_reply *reply) {
    const uint64_t pass = block * LENS_COUNT + (uint64_t)lens;
    enum runner_behind behind[WIRE_ARMS];
    int arms = request->arm_count, order[WIRE_ARMS];
    schedule_shuffle(seed_derive(request->seed, SEED_ORDER, pass), arms, order);
    runner->secret = seed_derive(request->seed, SEED_SEAL, pass);
    if (!request->bare && refresh(runner, request, pass, reply) < 0)
        return OUTCOME_OK;
    for (int i = 0; i < arms; i++) {
        const int slot = order[i], output = output_of(request, slot, block);
        if (request->server)
            wait_until(runner_now() +
                       schedule_gap(seed_derive(request->seed, SEED_GAP, pass), request->qps));
        behind[slot] =
            request->suspect_count == 0 ? RUNNER_NOTHING
            : lens == LENS_CALL && seed_derive(request->seed, SEED_DRAIN, pass) % DRAIN_ONE_IN == 0
                ? RUNNER_DRAIN
                : RUNNER_SEAL;
        struct runner_times times;
        struct arm *arm = &runner->arms[request->arms[slot]];
        int outcome = runner_interval(runner, &request->interval, arm, lens, output, behind[slot],
                                      &times, reply->text);
        if (outcome != OUTCOME_OK) {
            reply->time.failed_arm = request->arms[slot];
            return outcome;
        }
        samples[slot] = (float)times.seconds;
        if (lens == LENS_CALL)
            samples[arms + slot] = (float)times.host_seconds;
        if (request->suspect_count > 0 && hide(runner, request, pass, arm, output, reply) < 0)
            return OUTCOME_OK;
    }
    return request->suspect_count == 0 ? OUTCOME_OK
                                       : inspect(runner, request, block, pass, behind, reply);
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
    *samples = (float)runner->placement;
    schedule_shuffle(seed_derive(request->seed, SEED_ORDER, ~block), count, order);
    for (int i = 0; i < count && outcome == OUTCOME_OK && reply->status == 0; i++)
        outcome = time_pass(runner, request, lenses[order[i]], block, at[order[i]], reply);
    return outcome;
}

/* Every arm serves the same WIRE_ARRIVALS, one arm after the other in a random order. The arrivals
 * come whether or not the call before has ended, so that a slow call makes those behind it
 * wait: latency counts from the arrival. */
static int time_arrivals(struct runner *runner, const struct wire_time *request, uint64_t block,
                         float *samples, struct wire_reply *reply) {
    const size_t floats = wire_block_floats(request);
    int arms = request->arm_count, order[WIRE_ARMS];
    schedule_shuffle(seed_derive(request->seed, SEED_ORDER, block), arms, order);
    for (size_t n = 1; n <= WIRE_ARRIVALS; n++)
        samples[n * floats - 1] = (float)runner->placement;
    if (refresh(runner, request, block, reply) < 0)
        return OUTCOME_OK;
    for (int i = 0; i < arms; i++) {
        struct arm *arm = &runner->arms[request->arms[order[i]]];
        const int output = output_of(request, order[i], block);
        double arrival = runner_now();
        for (int n = 0; n < WIRE_ARRIVALS; n++) {
            double seconds = 0;
            uint64_t draw = block + (uint64_t)n;
            arrival += schedule_gap(seed_derive(request->seed, SEED_GAP, draw), request->qps);
            wait_until(arrival);
            int outcome = runner_latency(runner, &request->interval, arm, output, arrival, &seconds,
                                         reply->text);
            if (outcome != OUTCOME_OK) {
                reply->time.failed_arm = request->arms[order[i]];
                return outcome;
            }
            samples[(size_t)n * floats + (size_t)order[i]] = (float)seconds;
        }
        if (request->suspect_count > 0 && hide(runner, request, block, arm, output, reply) < 0)
            return OUTCOME_OK;
    }
    static const enum runner_behind behind[WIRE_ARMS]; /* nothing */
    return request->suspect_count == 0 ? OUTCOME_OK
                                       : inspect(runner, request, block, block, behind, reply);
}

/* Copies of the operands that together are twice the last-level cache. */
static int rotate(struct runner *runner, struct inputs *inputs) {
    struct shape shape = inputs->shape, padded = inputs->padded;
    double one = 2.0 * ((double)padded.m * (double)padded.k + (double)padded.k * (double)padded.n);
    int64_t copies = 1 + (int64_t)(2.0 * (double)runner->cache_bytes / one);
    if (inputs->copies > 1)
        return 0;
    inputs_free(runner->device, runner->device_state, inputs);
    return inputs_alloc(runner->device, runner->device_state, shape, padded, copies, inputs);
}

/* Room for what the request needs on the device. 0, or -1 with a text. */
static int prepare(struct runner *runner, const struct wire_time *request, char *text,
                   size_t size) {
    int64_t largest = 0;
    int32_t padding = 0;
    for (int i = 0; i < request->arm_count; i++) {
        struct arm *arm = &runner->arms[request->arms[i]];
        int64_t elements = runner_output_elements(arm);
        largest = elements > largest ? elements : largest;
        arm->padding = request->padding[i];
        padding |= arm->padding;
    }
    snprintf(text, size, "no room for an output of every arm");
    if (runner_outputs(runner, request->arm_count, largest) < 0)
        return -1;
    snprintf(text, size, "no room for an unpadded output");
    if (padding && !runner->unpadded.data &&
        guarded_alloc(runner->device, runner->device_state, runner->shape.m * runner->shape.n,
                      &runner->unpadded) < 0)
        return -1;
    snprintf(text, size, "no room for operands of twice the cache's size");
    for (int i = 0; i < runner->operand_count && request->interval.cache == CACHE_ROTATE; i++)
        if (rotate(runner, &runner->operands[i]) < 0)
            return -1;
    *text = 0;
    return 0;
}

static double drain_quantile(const struct arm *arm, int count, double p) {
    double drains[RUNNER_DRAINS];
    memcpy(drains, arm->drains, (size_t)count * sizeof *drains);
    stats_sort(drains, (size_t)count);
    return stats_quantile_sorted(drains, (size_t)count, p);
}

/* The last drains of the suspects and the reference: whatever disturbs makes some longer. */
static void tell_drains(const struct runner *runner, const struct wire_time *request,
                        struct wire_reply *reply) {
    if (request->suspect_count == 0 || request->reference < 0)
        return;
    const struct arm *reference = &runner->arms[request->arms[request->reference]];
    int count = reference->drain_count < RUNNER_DRAINS ? reference->drain_count : RUNNER_DRAINS;
    for (int i = 0; i < request->suspect_count; i++) {
        const struct arm *suspect = &runner->arms[request->arms[request->suspects[i]]];
        count = suspect->drain_count < count ? suspect->drain_count : count;
    }
    reply->time.drains = count;
    for (int i = 0; i < request->suspect_count; i++)
        reply->time.drain_suspects[i] =
            drain_quantile(&runner->arms[request->arms[request->suspects[i]]], count, 0.25);
    reply->time.drain_reference = drain_quantile(reference, count, 0.75);
}

/* Whether anything around the operands and outputs was written while calls were timed. */
static int inspect_guards(struct runner *runner, const struct wire_time *request,
                          struct wire_reply *reply) {
    uint64_t changed = 0;
    int status = 0;
    for (int i = 0; i < runner->operand_count && status == 0; i++) {
        const struct inputs *inputs = &runner->operands[i];
        const struct guarded *buffers[] = {&inputs->a, &inputs->b_row, &inputs->b_col};
        for (int j = 0; j < 3 && status == 0; j++)
            status = guarded_check(runner->device, runner->device_state, buffers[j], &changed);
    }
    for (int i = 0; i < request->arm_count && status == 0; i++)
        status = guarded_check(runner->device, runner->device_state, &runner->outputs[i], &changed);
    if (status < 0) {
        reply->status = -1;
        snprintf(reply->text, sizeof reply->text, "the guard zones cannot be looked at");
    }
    if (changed == 0)
        return OUTCOME_OK;
    reply->time.failed_arm = request->arms[request->suspects[0]];
    snprintf(reply->text, sizeof reply->text, "%llu elements around A, B or C were written",
             (unsigned long long)changed);
    return OUTCOME_WROTE_OUTSIDE;
}

/* What a visit to all arms leaves: a block, or of the open loop WIRE_ARRIVALS of them. */
#define VISIT_FLOATS (WIRE_ARRIVALS * (WIRE_ARMS + 1))
_Static_assert(VISIT_FLOATS > (LENS_COUNT + 1) * WIRE_ARMS, "a block by every lens fits");

typedef int visit_function(struct runner *runner, const struct wire_time *request, uint64_t block,
                           float *samples, struct wire_reply *reply);

/* Blocks that a placement has at least: a move costs about as much as one, and a kernel that cheats
 * by what it knows of a placement must have the time to do so and be seen. */
#define PLACEMENT_BLOCKS 16

static bool must_move(const struct runner *runner, const struct wire_time *request) {
    return request->placement_seconds > 0 && runner->blocks_here >= PLACEMENT_BLOCKS &&
           runner_now() - runner->moved >= request->placement_seconds;
}

/* Moves operands and outputs, and makes a visit that does not count: first calls touch new pages,
 * and some kernels keep things by address. Returns an outcome. */
static int move(struct runner *runner, const struct wire_time *request, visit_function *visit,
                uint64_t block, struct wire_reply *reply) {
    const uint64_t seed = seed_derive(request->seed, SEED_PLACE, block);
    float unused[VISIT_FLOATS];
    int outcome = request->suspect_count > 0 ? inspect_guards(runner, request, reply) : OUTCOME_OK;
    if (outcome != OUTCOME_OK || reply->status != 0)
        return outcome;
    if (runner_move(runner, seed) < 0) {
        reply->status = -1;
        snprintf(reply->text, sizeof reply->text, "operands and outputs cannot be moved");
        return OUTCOME_OK;
    }
    outcome = visit(runner, request, seed, unused, reply);
    runner->blocks_here = 0;
    runner->moved = runner_now();
    return outcome;
}

void runner_time(struct runner *runner, const struct wire_time *request, struct wire_reply *reply) {
    const bool open = request->lenses == 1 << LENS_LATENCY;
    visit_function *visit = open ? time_arrivals : time_block;
    const uint64_t least = open ? WIRE_ARRIVALS : 1;
    const size_t floats = wire_block_floats(request);
    reply->time.failed_arm = -1;
    if (prepare(runner, request, reply->text, sizeof reply->text) < 0) {
        reply->status = -1;
        return;
    }
    uint64_t room = runner->shared_bytes / sizeof(float) / floats;
    if (request->most_blocks < room)
        room = request->most_blocks < least ? least : request->most_blocks;
    float *samples = runner->shared;
    uint64_t blocks = 0;
    double start = runner_now();
    do {
        const uint64_t block = request->first_block + blocks;
        if (must_move(runner, request))
            reply->outcome = move(runner, request, visit, block, reply);
        if (reply->outcome == OUTCOME_OK && reply->status == 0)
            reply->outcome = visit(runner, request, block, samples + blocks * floats, reply);
        if (reply->outcome != OUTCOME_OK || reply->status != 0)
            break;
        blocks += least;
        runner->blocks_here += least;
    } while (blocks + least <= room && runner_now() - start < request->seconds);
    reply->time.blocks = blocks;
    tell_drains(runner, request, reply);
    if (request->suspect_count > 0 && reply->outcome == OUTCOME_OK && reply->status == 0)
        reply->outcome = inspect_guards(runner, request, reply);
}
