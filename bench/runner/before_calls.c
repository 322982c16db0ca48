#include "bench/runner/before_calls.h"

#include "bench/record/player.h"

static int restore(struct arm *arm) {
    arm->next_call = 0;
    return arm->player && player_restore(arm->player) != 0 ? -1 : 0;
}

/* All recordings, so that no arm finds a device that has had less to do. That of the arm is the last,
 * since all have their memory at the same addresses. */
static int restore_recordings(struct runner *runner, struct arm *own) {
    int lost = 0;
    for (int i = 0; i < runner->arm_count; i++)
        if (&runner->arms[i] != own)
            lost |= restore(&runner->arms[i]);
    return lost | restore(own);
}

static int touch(const struct runner *runner, const struct guarded *matrix) {
    return runner->device->touch(runner->device_state, matrix->data, matrix->elements);
}

static int64_t read_bytes(const struct arm *arm, const struct inputs *inputs) {
    const int copies = (arm->reads & WIRE_B_COL ? 1 : 0) + (arm->reads & WIRE_B_ROW ? 1 : 0);
    return 2 * (inputs->a.elements + copies * inputs->b_row.elements);
}

/* From the last call to the first, but for calls whose operands those of earlier ones would displace
 * again. */
static int touch_operands(const struct runner *runner, const struct arm *arm, int calls) {
    const bool known = runner->cache_bytes > 0;
    int64_t left = 2 * runner->cache_bytes;
    int last = 0, lost = 0;
    while (last < calls && (left > 0 || !known))
        left -= read_bytes(arm, &arm->operands->calls[last++]);
    for (int i = last - 1; i >= 0; i--) {
        const struct inputs *inputs = &arm->operands->calls[i];
        lost |= arm->reads & WIRE_B_COL ? touch(runner, &inputs->b_col) : 0;
        lost |= arm->reads & WIRE_B_ROW ? touch(runner, &inputs->b_row) : 0;
        lost |= touch(runner, &inputs->a);
    }
    return lost;
}

int before_calls(struct runner *runner, const struct wire_interval *how, struct arm *arm,
                 int calls) {
    const int lost = restore_recordings(runner, arm) | runner_empty_row(runner, calls) |
                     runner->device->sweep(runner->device_state);
    return how->cache == CACHE_WARM ? lost | touch_operands(runner, arm, calls) : lost;
}
