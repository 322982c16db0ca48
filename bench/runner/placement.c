/* Runner: where operands and outputs lie. Which pages a buffer has decides which channels of the
 * memory and slices of the cache it meets; a kernel is 0.3 to 1.4 % faster or slower for it, the
 * same in all blocks of one placement. So they move while a unit is timed. */
#include "bench/runner/runner.h"

#include "correctness/numbers/input.h"
#include "timing/schedule.h"

enum {
    MOST_BUFFERS = 3 * RUNNER_OPERANDS + WIRE_ARMS + 1,
    FILLER_STEP = 1 << 20, /* bytes; a page of the device has two of them */
    FILLER_STEPS = 8
};

/* Larger buffers than these fill so many pages that one set of them is like another; fillers beside
 * them would only take room. */
#define FILLED_MOST_BYTES ((int64_t)1 << 30)

static int list_buffers(struct runner *runner, struct guarded *list[MOST_BUFFERS]) {
    int count = 0;
    for (int i = 0; i < runner->operand_count; i++) {
        list[count++] = &runner->operands[i].a;
        list[count++] = &runner->operands[i].b_row;
        list[count++] = &runner->operands[i].b_col;
    }
    for (int i = 0; i < runner->output_count; i++)
        list[count++] = &runner->outputs[i];
    if (runner->unpadded.data)
        list[count++] = &runner->unpadded;
    return count;
}

/* All are freed first, then taken again in another order between fillers of other sizes. */
int runner_move(struct runner *runner, uint64_t seed) {
    const struct device_ops *device = runner->device;
    void *state = runner->device_state, *fillers[MOST_BUFFERS] = {0};
    struct guarded *buffers[MOST_BUFFERS];
    int64_t elements[MOST_BUFFERS], bytes = 0;
    int order[MOST_BUFFERS], status = 0;
    const int count = list_buffers(runner, buffers);
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
