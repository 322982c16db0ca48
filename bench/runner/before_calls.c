#include "bench/runner/before_calls.h"

#include "bench/replay/player.h"
#include "correctness/numbers/input.h"

/* What any of them has written is gone, in whosever memory it was. */
static int restore_recordings(struct runner *runner) {
    int lost = 0;
    for (int i = 0; i < runner->arm_count; i++) {
        struct arm *arm = &runner->arms[i];
        arm->next_call = 0;
        if (arm->player && player_restore(arm->player) != 0)
            lost = -1;
    }
    return lost;
}

/* None, where they were written for all arms of a pass and no arm can change them. Returns how many.
 */
static int list_operands(const struct runner *runner, const struct arm *arm, struct fill *wanted) {
    struct fill fills[3];
    int count = 0;
    if (runner->inputs_there)
        return 0;
    inputs_fills(arm->inputs, INPUT_NORMAL, runner->inputs_seed, fills);
    wanted[count++] = fills[0];
    if (arm->reads & WIRE_B_ROW)
        wanted[count++] = fills[1];
    if (arm->reads & WIRE_B_COL)
        wanted[count++] = fills[2];
    return count;
}

/* The C of all calls: nobody is to find a product, or a note. */
static int list_outputs(const struct runner *runner, struct fill *wanted) {
    for (int i = 0; i < runner->chain_count; i++)
        wanted[i] = runner_unwritten(runner, &runner->chain[i], runner->chain[i].elements);
    return runner->chain_count;
}

static int touch(const struct runner *runner, const struct guarded *matrix) {
    return runner->device->touch(runner->device_state, matrix->data, matrix->elements);
}

static int touch_operands(const struct runner *runner, const struct arm *arm) {
    const struct inputs *inputs = arm->inputs;
    int lost = arm->reads & WIRE_B_COL ? touch(runner, &inputs->b_col) : 0;
    if (arm->reads & WIRE_B_ROW)
        lost |= touch(runner, &inputs->b_row);
    return lost | touch(runner, &inputs->a);
}

int before_calls(struct runner *runner, const struct wire_interval *how, const struct arm *arm) {
    struct fill fills[3 + RUNNER_CHAIN];
    int count = list_operands(runner, arm, fills);
    count += list_outputs(runner, fills + count);
    int lost = restore_recordings(runner) |
               runner->device->fill(runner->device_state, fills, count) |
               runner->device->sweep(runner->device_state);
    return how->cache == CACHE_WARM ? lost | touch_operands(runner, arm) : lost;
}
