/* For tests: whether operands hold what they were filled with. */
#ifndef TESTS_SUPPORT_INPUTS_CHECK_H
#define TESTS_SUPPORT_INPUTS_CHECK_H

#include "bench/runner/operands.h"

/* Adds to *changed how many elements are not what the fills from (kind, seed) have put there. */
static int inputs_check(const struct device_ops *device, void *state, const struct inputs *inputs,
                        int32_t kind, uint64_t seed, uint64_t *changed) {
    struct fill fills[3];
    uint64_t count;
    inputs_fills(inputs, kind, seed, fills);
    if (device->count_changed(state, fills, 3, &count) < 0)
        return -1;
    *changed += count;
    return 0;
}

#endif
