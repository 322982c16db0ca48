/* Runner: where operands and outputs lie. Which pages a buffer has decides which channels of the
 * memory and slices of the cache it meets; a kernel is 0.3 to 1.4 % faster or slower for it, the
 * same in all blocks of one placement. So they move while a unit is timed. */
#include "bench/runner/placement.h"

#include <stdio.h>

#include "bench/base/outcome.h"
#include "bench/runner/inspect.h"
#include "correctness/numbers/input.h"
#include "timing/schedule.h"

enum {
    FILLER_STEP = 1 << 20, /* bytes; a page of the device has two of them */
    FILLER_STEPS = 8
};

/* Larger buffers than these fill so many pages that one set of them is like another; fillers beside
 * them would only take room. */
#define FILLED_MOST_BYTES ((int64_t)1 << 30)

/* All are freed first, then taken again in another order between fillers of other sizes. */
static int move(struct runner *runner, uint64_t seed) {
    const struct device_ops *device = runner->device;
    void *state = runner->device_state, *fillers[RUNNER_BUFFERS] = {0};
    struct guarded *buffers[RUNNER_BUFFERS];
    int64_t elements[RUNNER_BUFFERS], bytes = 0;
    int order[RUNNER_BUFFERS], status = 0;
    const int count = runner_buffers(runner, buffers);
    schedule_shuffle(seed, count, order);
    for (int i = 0; i < count; i++) {
        elements[i] = buffers[i]->elements;
        bytes += elements[i] * (int64_t)sizeof(uint16_t);
        guarded_free(device, state, buffers[i]);
    }
    for (int i = 0; i < count && status == 0; i++) {
        const uint64_t draw = seed_derive(seed, SEED_PLACE, (uint64_t)i) % FILLER_STEPS;
        if (draw > 0 && bytes < FILLED_MOST_BYTES)
            status = device->alloc(state, draw * FILLER_STEP, &fillers[i]);
        if (status == 0)
            status = guarded_alloc(device, state, elements[order[i]], buffers[order[i]]);
    }
    for (int i = 0; i < count; i++)
        device->release(state, fillers[i]);
    runner->placement++;
    return status;
}

/* Blocks that a placement has at least: a move costs about as much as one, and a kernel that cheats
 * by what it knows of a placement must have the time to do so and be seen. */
#define PLACEMENT_BLOCKS 16

bool placement_is_due(const struct runner *runner, const struct wire_time *request) {
    return request->placement_seconds > 0 && runner->blocks_here >= PLACEMENT_BLOCKS &&
           runner_now() - runner->moved >= request->placement_seconds;
}

int placement_change(struct runner *runner, const struct wire_time *request, visit_function *visit,
                     uint64_t block, struct wire_reply *reply) {
    float unused[VISIT_FLOATS];
    int outcome = request->suspect_count > 0 ? inspect_guards(runner, request, reply) : OUTCOME_OK;
    if (outcome != OUTCOME_OK || reply->status != 0)
        return outcome;
    const uint64_t seed = seed_derive(request->seed, SEED_PLACE, block);
    if (move(runner, seed) < 0) {
        snprintf(reply->text, sizeof reply->text, "operands and outputs cannot be moved");
        return OUTCOME_NO_MEMORY;
    }
    outcome = visit(runner, request, visit_after_move(block), unused, reply);
    runner->blocks_here = 0;
    runner->moved = runner_now();
    return outcome;
}
