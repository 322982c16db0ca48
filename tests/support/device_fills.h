/* For tests: fill, count_changed and copy_out of any device, held against
 * correctness/numbers/input.h element by element. Include after cmocka.h. */
#ifndef TESTS_SUPPORT_DEVICE_FILLS_H
#define TESTS_SUPPORT_DEVICE_FILLS_H

#include <stdbool.h>
#include <stdlib.h>

#include "bench/device/device.h"
#include "correctness/numbers/input.h"
#include "correctness/numbers/philox_words.h"
#include "tests/support/asserts.h"
#include "tests/support/stderr.h"

enum { FILLS_MARGIN = 37 }; /* elements on both sides of a rectangle that no fill may touch */
#define FILLS_UNTOUCHED 0xabcdu

/* Sizes around the group of 8 and the tiles of 64, in both layouts, with and without padding: more
 * of them than any batch holds. */
static const int64_t fills_shapes[][2] = {{1, 1},   {1, 7},    {7, 1},    {8, 8},
                                          {9, 17},  {63, 65},  {64, 64},  {65, 63},
                                          {300, 5}, {3, 1027}, {129, 200}};
enum { FILLS_SHAPES = sizeof fills_shapes / sizeof *fills_shapes, FILLS = 4 * FILLS_SHAPES };

static uint16_t fills_tables[INPUT_KINDS][INPUT_TABLE_SIZE];

static void fills_load_tables(const struct device_ops *device, void *state) {
    for (int kind = 0; kind < INPUT_KINDS; kind++) {
        input_table(ELEMENT_F16, (enum input_kind)kind, 0.25, fills_tables[kind]);
        assert_int_equal(device->load_table(state, kind, fills_tables[kind]), 0);
    }
}

static int64_t fills_elements(const struct fill *fill) {
    return fill->rows_stored * fill->ld;
}

static uint16_t fills_want(const struct fill *fill, int64_t stored_row, int64_t stored_col) {
    const int64_t row = fill->transposed ? stored_col : stored_row;
    const int64_t col = fill->transposed ? stored_row : stored_col;
    if (!fill->matrix)
        return fill->constant;
    if (row >= fill->rows || col >= fill->cols)
        return 0;
    return input_element(fills_tables[fill->table], fill->seed, (enum input_matrix)fill->matrix,
                         row, col);
}

static struct fill fills_constant(uint16_t *at, int64_t elements, uint16_t constant) {
    return (struct fill){.at = at,
                         .rows = 1,
                         .cols = elements,
                         .rows_stored = 1,
                         .ld = elements,
                         .constant = constant};
}

static void fills_write(const struct device_ops *device, void *state, uint16_t *at,
                        int64_t elements, uint16_t constant) {
    const struct fill fill = fills_constant(at, elements, constant);
    assert_int_equal(device->fill(state, &fill, 1), 0);
}

static struct fill fills_case(int i) {
    const int64_t *shape = fills_shapes[i / 4];
    const bool transposed = i & 1, padded = i & 2;
    struct fill fill = {.rows = shape[0],
                        .cols = shape[1],
                        .transposed = transposed,
                        .matrix = i % 3 ? INPUT_B : INPUT_A,
                        .table = i % 5 ? INPUT_NORMAL : INPUT_BINARY,
                        .seed = 0x9e3779b97f4a7c15 * (uint64_t)(i + 1)};
    fill.rows_stored = (transposed ? fill.cols : fill.rows) + (padded ? 3 + i % 70 : 0);
    fill.ld = (transposed ? fill.rows : fill.cols) + (padded ? 1 + i % 67 : 0);
    return fill;
}

static uint64_t fills_changed(const struct device_ops *device, void *state,
                              const struct fill *fill) {
    uint64_t changed = UINT64_MAX;
    assert_int_equal(device->count_changed(state, fill, 1, &changed), 0);
    return changed;
}

/* The bits of the rectangle and of the margins around it. */
static void fills_check_stored(const struct device_ops *device, void *state,
                               const struct fill *fill) {
    const int64_t total = fills_elements(fill) + 2 * FILLS_MARGIN;
    uint16_t *got = malloc((size_t)total * sizeof *got);
    assert_non_null(got);
    assert_int_equal(device->copy_out(state, fill->at - FILLS_MARGIN, 1, total, total, got), 0);
    for (int64_t i = 0; i < total; i++) {
        const int64_t inside = i - FILLS_MARGIN;
        const bool stored = inside >= 0 && inside < fills_elements(fill);
        const uint16_t want =
            stored ? fills_want(fill, inside / fill->ld, inside % fill->ld) : FILLS_UNTOUCHED;
        if (got[i] != want)
            fail_msg("%ldx%ld stored %ldx%ld%s: element %ld is %04x, not %04x", (long)fill->rows,
                     (long)fill->cols, (long)fill->rows_stored, (long)fill->ld,
                     fill->transposed ? " transposed" : "", (long)inside, got[i], want);
    }
    free(got);
}

/* Changes one bit of a stored element and back: a fault that count_changed must see, or, outside
 * the rectangle, must not. */
static void fills_check_planted(const struct device_ops *device, void *state,
                                const struct fill *fill) {
    const int64_t last = fills_elements(fill) - 1;
    const int64_t places[] = {0, last / 2, last}, outside[] = {-1, last + 1};
    for (int i = 0; i < 3; i++) {
        const int64_t at = places[i];
        const uint16_t want = fills_want(fill, at / fill->ld, at % fill->ld);
        fills_write(device, state, fill->at + at, 1, want ^ 1);
        assert_int_equal(fills_changed(device, state, fill), 1);
        fills_write(device, state, fill->at + at, 1, want);
        assert_int_equal(fills_changed(device, state, fill), 0);
    }
    for (int i = 0; i < 2; i++) {
        fills_write(device, state, fill->at + outside[i], 1, 0);
        assert_int_equal(fills_changed(device, state, fill), 0);
    }
    fills_write(device, state, fill->at, last + 1, 0x7bff); /* in no table */
    assert_int_equal(fills_changed(device, state, fill), (uint64_t)last + 1);
}

static void fills_check(const struct device_ops *device, void *state) {
    struct fill fills[FILLS];
    fills_load_tables(device, state);
    for (int i = 0; i < FILLS; i++) {
        fills[i] = fills_case(i);
        const int64_t total = fills_elements(&fills[i]) + 2 * FILLS_MARGIN;
        void *memory;
        assert_int_equal(
            device->alloc(state, 0, false, &(size_t){(size_t)total * sizeof(uint16_t)}, &memory),
            0);
        assert_int_equal((uintptr_t)memory % 256, 0);
        fills_write(device, state, memory, total, FILLS_UNTOUCHED);
        fills[i].at = (uint16_t *)memory + FILLS_MARGIN;
    }
    assert_int_equal(device->fill(state, fills, FILLS), 0);
    for (int i = 0; i < FILLS; i++) {
        fills_check_stored(device, state, &fills[i]);
        assert_int_equal(fills_changed(device, state, &fills[i]), 0);
        fills_check_planted(device, state, &fills[i]);
        device->free(state, fills[i].at - FILLS_MARGIN);
    }
    device->free(state, NULL);
}

/* A rectangle out of a wider array arrives dense. */
static void fills_check_copy_out(const struct device_ops *device, void *state) {
    enum { ROWS = 5, COLS = 7, LD = 11 };
    uint16_t got[ROWS * COLS];
    void *memory;
    assert_int_equal(device->alloc(state, 0, false, &(size_t){ROWS * LD * sizeof *got}, &memory),
                     0);
    for (int i = 0; i < ROWS * LD; i++)
        fills_write(device, state, (uint16_t *)memory + i, 1, (uint16_t)i);
    assert_int_equal(device->copy_out(state, memory, ROWS, COLS, LD, got), 0);
    for (int i = 0; i < ROWS * COLS; i++)
        assert_int_equal(got[i], i / COLS * LD + i % COLS);
    device->free(state, memory);
}

/* Some 40 MB, whose rows are their number. */
static void fills_check_copy_out_large(const struct device_ops *device, void *state) {
    enum { ROWS = 3001, COLS = 6997, LD = 7000 };
    uint16_t *got = malloc(sizeof *got * ROWS * COLS);
    void *memory;
    assert_non_null(got);
    assert_int_equal(device->alloc(state, 0, false, &(size_t){sizeof *got * ROWS * LD}, &memory),
                     0);
    for (int row = 0; row < ROWS; row++)
        fills_write(device, state, (uint16_t *)memory + (int64_t)row * LD, LD, (uint16_t)row);
    for (int i = 0; i < 2; i++) {
        const int64_t ld = i % 2 ? COLS : LD;
        int64_t wrong = 0;
        memset(got, 0xff, sizeof *got * ROWS * COLS);
        assert_int_equal(device->copy_out(state, memory, ROWS, COLS, ld, got), 0);
        for (int64_t at = 0; at < (int64_t)ROWS * COLS; at++)
            wrong += got[at] != (at / COLS * ld + at % COLS) / LD;
        assert_int_equal(wrong, 0);
    }
    device->free(state, memory);
    free(got);
}

/* A mask changes its elements alone, by the generator's words of the key, and undoes itself; on and
 * off the boundaries of 8 elements and 16 bytes. */
static void fills_check_mask(const struct device_ops *device, void *state) {
    enum { MOST = 100003, ROOM = MOST + 2 * FILLS_MARGIN };
    static const int64_t counts[] = {1, 7, 8, 9, 4096, MOST};
    static uint16_t got[ROOM];
    void *memory;
    assert_int_equal(device->alloc(state, 0, false, &(size_t){sizeof got}, &memory), 0);
    for (size_t i = 0; i < 2 * sizeof counts / sizeof *counts; i++) {
        const int64_t count = counts[i / 2], first = i % 2 ? FILLS_MARGIN : 16;
        const uint64_t key = 0x0123456789abcdef + i;
        uint16_t word[PHILOX_GROUP] = {0};
        int64_t wrong = 0;
        fills_write(device, state, memory, ROOM, FILLS_UNTOUCHED);
        assert_int_equal(device->mask(state, (uint16_t *)memory + first, count, key), 0);
        assert_int_equal(device->copy_out(state, memory, 1, ROOM, ROOM, got), 0);
        for (int64_t at = 0; at < ROOM; at++) {
            const int64_t e = at - first;
            if (e >= 0 && e % PHILOX_GROUP == 0)
                philox_words(key, 0, 0, (uint32_t)(e / PHILOX_GROUP), word);
            const bool inside = e >= 0 && e < count;
            wrong += got[at] != (FILLS_UNTOUCHED ^ (inside ? word[e % PHILOX_GROUP] : 0));
        }
        assert_int_equal(wrong, 0);
        assert_int_equal(device->mask(state, (uint16_t *)memory + first, count, key), 0);
        assert_int_equal(device->copy_out(state, memory, 1, ROOM, ROOM, got), 0);
        for (int64_t at = 0; at < ROOM; at++)
            wrong += got[at] != FILLS_UNTOUCHED;
        assert_int_equal(wrong, 0);
    }
    device->free(state, memory);
}

/* More memory than any machine has: a message that says how much was asked for, and no crash. */
static void fills_check_no_memory(const struct device_ops *device, void *state) {
    void *memory = &memory;
    stderr_catch();
    const int status = device->alloc(state, 0, false, &(size_t){(size_t)1 << 60}, &memory);
    stderr_says("1099511627776 MiB");
    assert_int_equal(status, -1);
    assert_null(memory);
}

#endif
