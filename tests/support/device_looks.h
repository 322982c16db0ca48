/* For tests: what a look of any device sees of two matrices, held against a count here. Include
 * after cmocka.h. */
#ifndef TESTS_SUPPORT_DEVICE_LOOKS_H
#define TESTS_SUPPORT_DEVICE_LOOKS_H

#include <math.h>
#include <stdlib.h>

#include "bench/device/device.h"
#include "correctness/numbers/input.h"
#include "correctness/numbers/number16.h"
#include "tests/support/asserts.h"

enum { LOOKS_ROWS = 300 };

/* Every number, and beside it itself or one that is some steps away. */
static void looks_load_tables(const struct device_ops *device, void *state) {
    static uint16_t numbers[INPUT_TABLE_SIZE], beside[INPUT_TABLE_SIZE];
    for (int i = 0; i < INPUT_TABLE_SIZE; i++) {
        numbers[i] = (uint16_t)i;
        beside[i] = (uint16_t)(i ^ (i % 5 == 0 ? i % 11 : 0));
    }
    assert_int_equal(device->load_table(state, INPUT_BINARY, numbers), 0);
    assert_int_equal(device->load_table(state, INPUT_NORMAL, beside), 0);
}

static uint16_t *looks_make(const struct device_ops *device, void *state, int64_t cols, int64_t ld,
                            int32_t table) {
    void *memory;
    assert_int_equal(device->alloc(state, 0, false,
                                   &(size_t){(size_t)(LOOKS_ROWS * ld) * sizeof(uint16_t)},
                                   &memory),
                     0);
    const struct fill fill = {.at = memory,
                              .rows = LOOKS_ROWS,
                              .cols = cols,
                              .rows_stored = LOOKS_ROWS,
                              .ld = ld,
                              .matrix = INPUT_A,
                              .table = table,
                              .seed = 7};
    assert_int_equal(device->fill(state, &fill, 1), 0);
    return memory;
}

static struct seen looks_count(enum element element, const uint16_t *c, const uint16_t *reference,
                               int64_t elements, double tolerance) {
    const float coarse = element == ELEMENT_F16 ? 3 : 1.5f;
    struct seen seen = {0};
    for (int64_t i = 0; i < elements; i++) {
        const float got = number16_to_float(element, c[i]);
        const float want = number16_to_float(element, reference[i]);
        const float distance = fabsf(got - want);
        seen.nan += isnan(got);
        seen.off += !isnan(got) && c[i] != reference[i] && !((double)distance <= tolerance);
        seen.coarse += distance > coarse * number16_ulp(element, want);
        if ((double)distance > seen.deviation)
            seen.deviation = (double)distance;
    }
    return seen;
}

static void looks_check_one(const struct device_ops *device, void *state, enum element element,
                            int64_t cols, int64_t ld, int64_t other_ld) {
    const size_t bytes = (size_t)(LOOKS_ROWS * cols) * sizeof(uint16_t);
    uint16_t *here[2] = {malloc(bytes), malloc(bytes)};
    struct look look = {.element = element,
                        .c = looks_make(device, state, cols, ld, INPUT_BINARY),
                        .rows = LOOKS_ROWS,
                        .cols = cols,
                        .ld = ld,
                        .other = looks_make(device, state, cols, other_ld, INPUT_NORMAL),
                        .other_ld = other_ld,
                        .tolerance = 0.01};
    struct seen seen[2];
    assert_non_null(here[0]);
    assert_non_null(here[1]);
    assert_int_equal(device->copy_out(state, look.c, LOOKS_ROWS, cols, ld, here[0]), 0);
    assert_int_equal(device->copy_out(state, look.other, LOOKS_ROWS, cols, other_ld, here[1]), 0);
    const struct seen want =
        looks_count(element, here[0], here[1], LOOKS_ROWS * cols, look.tolerance);
    assert_true(want.nan > 0 && want.off > 0 && want.coarse > 0);
    for (int i = 0; i < 2; i++) /* what was kept there before is gone */
        assert_int_equal(device->look(state, &look, 0), 0);
    void *reference = (void *)(uintptr_t)look.other;
    look.other = look.c; /* beside itself */
    look.other_ld = ld;
    assert_int_equal(device->look(state, &look, 1), 0);
    assert_int_equal(device->looks(state, 2, seen), 0);
    assert_int_equal(seen[0].nan, want.nan);
    assert_int_equal(seen[0].off, want.off);
    assert_int_equal(seen[0].coarse, want.coarse);
    assert_true(seen[0].deviation == want.deviation);
    assert_int_equal(seen[1].nan, want.nan);
    assert_int_equal(seen[1].off + seen[1].coarse, 0);
    assert_int_equal(seen[0].seal, seen[1].seal);
    device->free(state, reference);
    device->free(state, (void *)(uintptr_t)look.c);
    free(here[0]);
    free(here[1]);
}

/* Rows that are read four elements at once, and rows that cannot be. */
static void looks_check(const struct device_ops *device, void *state) {
    looks_load_tables(device, state);
    for (int element = 0; element < ELEMENT_COUNT; element++) {
        looks_check_one(device, state, (enum element)element, 128, 128, 128);
        looks_check_one(device, state, (enum element)element, 128, 136, 129);
        looks_check_one(device, state, (enum element)element, 101, 101, 103);
    }
}

#endif
