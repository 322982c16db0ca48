/* Runner: timed blocks, closed (a block visits every arm by every lens) and open loop (arrivals).
 */
#include "bench/runner.h"

#include <errno.h>
#include <stdio.h>
#include <time.h>

#include "bench/error.h"
#include "correctness/input.h"
#include "correctness/outcome.h"
#include "timing/schedule.h"

/* Arrivals that an arm serves in one go in the open loop; each is a block of its own in the
 * samples, and the n-th arrivals of all arms have the same gap before them. */
#define ARRIVALS 64

/* Sleeps, so that the device is idle, whatever signals come. The gap is outside every interval. */
static void idle(double seconds) {
    struct timespec t = {(time_t)seconds, (long)((seconds - (double)(time_t)seconds) * 1e9)};
    while (clock_nanosleep(CLOCK_MONOTONIC, 0, &t, &t) == EINTR)
        ;
}

/* Until the moment on runner_now's clock: asleep as long as a late wake-up does no harm, then
 * spinning, since latency counts from the moment and not from the wake-up. */
static void wait_until(double moment) {
    const double spin = 300e-6;
    double left = moment - runner_now();
    if (left > spin)
        idle(left - spin);
    while (runner_now() < moment)
        ;
}

static int refresh(struct runner *runner, const struct wire_request *request, uint64_t block,
                   struct wire_reply *reply) {
    if (runner_refresh(runner, seed_derive(request->seed, SEED_BLOCK, block), request->arm_count) ==
        0)
        return 0;
    reply->status = -1;
    snprintf(reply->text, sizeof reply->text, "fresh inputs could not be made");
    return -1;
}

/* C buffers rotate over the arms, so that no arm owns a luckier address. */
static int output_of(const struct wire_request *request, int slot, uint64_t block) {
    return (int)(((uint64_t)slot + block) % (uint64_t)request->arm_count);
}

/* One visit to every arm by every lens, in an order of the block's own, on inputs of the block's
 * own. Returns an outcome. */
static int time_block(struct runner *runner, const struct wire_request *request, uint64_t block,
                      float *samples, struct wire_reply *reply) {
    enum wire_lens lenses[LENS_COUNT];
    int arms = request->arm_count, lens_count = 0, order[WIRE_ARMS * LENS_COUNT];
    for (int lens = 0; lens < LENS_COUNT; lens++)
        if (request->lenses & 1 << lens)
            lenses[lens_count++] = (enum wire_lens)lens;
    schedule_shuffle(seed_derive(request->seed, SEED_ORDER, block), arms * lens_count, order);
    if (refresh(runner, request, block, reply) < 0)
        return OUTCOME_OK;
    for (int i = 0; i < arms * lens_count; i++) {
        int slot = order[i] % arms, lens = order[i] / arms;
        if (request->server) {
            uint64_t draw = block * (WIRE_ARMS * LENS_COUNT) + (uint64_t)i;
            idle(schedule_gap(seed_derive(request->seed, SEED_GAP, draw), request->qps));
        }
        double seconds = 0;
        int outcome =
            runner_interval(runner, request, &runner->arms[request->arms[slot]], lenses[lens],
                            output_of(request, slot, block), &seconds, reply->text);
        if (outcome != OUTCOME_OK) {
            reply->arm = request->arms[slot];
            return outcome;
        }
        samples[lens * arms + slot] = (float)seconds;
    }
    reply->blocks++;
    return OUTCOME_OK;
}

/* Every arm serves the same ARRIVALS, one arm after the other in an order of the turn's own. They
 * come whether or not the call before has ended, so that a slow call makes those behind it wait:
 * latency counts from the arrival. */
static int time_arrivals(struct runner *runner, const struct wire_request *request, uint64_t block,
                         float *samples, struct wire_reply *reply) {
    int arms = request->arm_count, order[WIRE_ARMS];
    schedule_shuffle(seed_derive(request->seed, SEED_ORDER, block), arms, order);
    if (refresh(runner, request, block, reply) < 0)
        return OUTCOME_OK;
    for (int i = 0; i < arms; i++) {
        struct arm *arm = &runner->arms[request->arms[order[i]]];
        double arrival = runner_now();
        for (int n = 0; n < ARRIVALS; n++) {
            double seconds = 0;
            uint64_t draw = block + (uint64_t)n;
            arrival += schedule_gap(seed_derive(request->seed, SEED_GAP, draw), request->qps);
            wait_until(arrival);
            int outcome = runner_latency(runner, request, arm, output_of(request, order[i], block),
                                         arrival, &seconds, reply->text);
            if (outcome != OUTCOME_OK) {
                reply->arm = request->arms[order[i]];
                return outcome;
            }
            samples[n * arms + order[i]] = (float)seconds;
        }
    }
    reply->blocks += ARRIVALS;
    return OUTCOME_OK;
}

/* Copies of the operands that together are twice the last-level cache. */
static int rotate(struct runner *runner, struct inputs *inputs) {
    struct shape shape = inputs->shape, padded = inputs->padded;
    double one = 2.0 * ((double)padded.m * (double)padded.k + (double)padded.k * (double)padded.n);
    int64_t copies = 1 + (int64_t)(2.0 * (double)runner->cache_bytes / one);
    if (!inputs->a.data || inputs->copies > 1)
        return 0;
    inputs_free(runner->device, runner->device_state, inputs);
    return inputs_alloc(runner->device, runner->device_state, shape, padded, copies, inputs);
}

/* Room for what the request needs on the device. 0, or -1 with a text. */
static int prepare(struct runner *runner, const struct wire_request *request, char *text,
                   size_t size) {
    int64_t largest = 0;
    for (int i = 0; i < request->arm_count; i++) {
        int64_t elements = runner_output_elements(&runner->arms[request->arms[i]]);
        largest = elements > largest ? elements : largest;
    }
    snprintf(text, size, "no room for an output of every arm");
    if (runner_outputs(runner, request->arm_count, largest) < 0)
        return -1;
    snprintf(text, size, "no room for an unpadded output");
    if (request->count_padding && !runner->unpadded.data &&
        guarded_alloc(runner->device, runner->device_state, runner->shape.m * runner->shape.n,
                      &runner->unpadded) < 0)
        return -1;
    snprintf(text, size, "no room for operands of twice the cache's size");
    if (request->cache == CACHE_ROTATE &&
        (rotate(runner, &runner->plain) < 0 || rotate(runner, &runner->padded) < 0))
        return -1;
    *text = 0;
    return 0;
}

void runner_time(struct runner *runner, const struct wire_request *request,
                 struct wire_reply *reply) {
    const bool open = request->lenses == 1 << LENS_LATENCY;
    size_t stride = 0, least = open ? ARRIVALS : 1;
    for (int lens = 0; lens < LENS_COUNT; lens++)
        stride += request->lenses & 1 << lens ? (size_t)request->arm_count : 0;
    if (prepare(runner, request, reply->text, sizeof reply->text) < 0) {
        reply->status = -1;
        return;
    }
    uint64_t room = runner->shared_bytes / sizeof(float) / stride;
    if (request->most_blocks < room)
        room = request->most_blocks < least ? least : request->most_blocks;
    float *samples = runner->shared;
    double start = runner_now();
    do {
        reply->outcome = (open ? time_arrivals
                               : time_block)(runner, request, request->first_block + reply->blocks,
                                             samples + reply->blocks * stride, reply);
        if (reply->outcome != OUTCOME_OK || reply->status != 0)
            break;
        reply->seconds = runner_now() - start;
    } while (reply->blocks + least <= room && reply->seconds < request->seconds);
}
