#include "bench/runner/before_calls.h"

#include "bench/record/player.h"

/* Takes away all that any of them has written, in any recording's memory. */
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

static int touch(const struct runner *runner, const struct guarded *matrix) {
    return runner->device->touch(runner->device_state, matrix->data, matrix->elements);
}

static int touch_operands(const struct runner *runner, const struct arm *arm, int calls) {
    int lost = 0;
    for (int i = calls - 1; i >= 0; i--) {
        const struct inputs *inputs = &arm->operands->calls[i];
        lost |= arm->reads & WIRE_B_COL ? touch(runner, &inputs->b_col) : 0;
        lost |= arm->reads & WIRE_B_ROW ? touch(runner, &inputs->b_row) : 0;
        lost |= touch(runner, &inputs->a);
    }
    return lost;
}

int before_calls(struct runner *runner, const struct wire_interval *how, const struct arm *arm,
                 int calls) {
    const int lost = restore_recordings(runner) | runner_empty_row(runner) |
                     runner->device->sweep(runner->device_state);
    return how->cache == CACHE_WARM ? lost | touch_operands(runner, arm, calls) : lost;
}
