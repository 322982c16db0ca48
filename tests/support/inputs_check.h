/* For tests: whether operands hold what they were filled with. */
#ifndef TESTS_SUPPORT_INPUTS_CHECK_H
#define TESTS_SUPPORT_INPUTS_CHECK_H

#include "bench/runner/operands.h"

/* Adds to *changed how many elements of all copies are not what the fills from (kind, seed) and
 * inputs_replicate have put there. */
static int inputs_check(const struct device_ops *device, void *state, const struct inputs *inputs,
                        int32_t kind, uint64_t seed, uint64_t *changed) {
    const struct guarded *matrices[] = {&inputs->a, &inputs->b_row, &inputs->b_col};
    struct fill fills[3];
    inputs_fills(inputs, kind, seed, fills);
    for (int64_t copy = 0; copy < inputs->copies; copy++) {
        uint64_t count;
        if (device->count_changed(state, fills, 3, &count) < 0)
            return -1;
        *changed += count;
        for (int i = 0; i < 3; i++)
            fills[i].at += matrices[i]->elements / inputs->copies;
    }
    return 0;
}

#endif
