#include "bench/runner/operands.h"

#include "bench/base/error.h"
#include "correctness/numbers/element_bits.h"
#include "correctness/numbers/input.h"
#include "correctness/numbers/values.h"

static struct fill constant_fill(uint16_t *at, int64_t elements, uint16_t constant) {
    return (struct fill){.at = at,
                         .rows = 1,
                         .cols = elements,
                         .rows_stored = 1,
                         .ld = elements,
                         .constant = constant};
}

static void guard_fills(const struct guarded *buffer, struct fill fills[2]) {
    const int64_t guard = GUARD_BYTES / (int64_t)sizeof(uint16_t);
    fills[0] = constant_fill(buffer->data - guard, guard, ELEMENT_NAN);
    fills[1] = constant_fill(buffer->data + buffer->elements, buffer->behind, ELEMENT_NAN);
}

int guarded_alloc(const struct device_ops *device, void *state, int64_t elements,
                  struct guarded *buffer) {
    size_t bytes = (size_t)elements * sizeof(uint16_t) + 2 * (size_t)GUARD_BYTES;
    if (device->alloc(state, buffer->offset, buffer->sealed, &bytes, &buffer->memory) < 0)
        return -1;
    buffer->data = (uint16_t *)((char *)buffer->memory + GUARD_BYTES);
    buffer->elements = elements;
    buffer->behind = (int64_t)((bytes - (size_t)GUARD_BYTES) / sizeof(uint16_t)) - elements;
    struct fill fills[2];
    guard_fills(buffer, fills);
    return device->fill(state, fills, 2);
}

void guarded_free(const struct device_ops *device, void *state, struct guarded *buffer) {
    device->free(state, buffer->memory);
    *buffer = (struct guarded){.offset = buffer->offset, .sealed = buffer->sealed};
}

int guarded_check(const struct device_ops *device, void *state,
                  const struct guarded *const *buffers, int count, uint64_t *changed) {
    enum { AT_ONCE = 32 }; /* each look waits for the device */
    struct fill fills[2 * AT_ONCE];
    for (int first = 0; first < count; first += AT_ONCE) {
        const int some = count - first < AT_ONCE ? count - first : AT_ONCE;
        uint64_t found;
        for (int i = 0; i < some; i++)
            guard_fills(buffers[first + i], fills + 2 * i);
        if (device->count_changed(state, fills, 2 * some, &found) < 0)
            return -1;
        *changed += found;
    }
    return 0;
}

int inputs_alloc(const struct device_ops *device, void *state, enum element element,
                 struct shape shape, struct shape padded, struct inputs *inputs) {
    inputs->element = element;
    inputs->shape = shape;
    inputs->padded = padded;
    if (guarded_alloc(device, state, padded.m * padded.k, &inputs->a) == 0 &&
        guarded_alloc(device, state, padded.k * padded.n, &inputs->b_row) == 0 &&
        guarded_alloc(device, state, padded.k * padded.n, &inputs->b_col) == 0)
        return 0;
    inputs_free(device, state, inputs);
    return -1;
}

void inputs_free(const struct device_ops *device, void *state, struct inputs *inputs) {
    guarded_free(device, state, &inputs->a);
    guarded_free(device, state, &inputs->b_row);
    guarded_free(device, state, &inputs->b_col);
}

void inputs_fills(const struct inputs *inputs, int32_t kind, uint64_t seed, struct fill fills[3]) {
    const struct shape s = inputs->shape, p = inputs->padded;
    const struct fill b = {.rows = s.k,
                           .cols = s.n,
                           .matrix = INPUT_B,
                           .table = values_table_of((enum input_kind)kind, INPUT_B),
                           .seed = seed,
                           .shape = s,
                           .element = inputs->element};
    struct fill a = b;
    a.at = inputs->a.data;
    a.rows = s.m;
    a.cols = s.k;
    a.rows_stored = p.m;
    a.ld = p.k;
    a.matrix = INPUT_A;
    a.table = values_table_of((enum input_kind)kind, INPUT_A);
    fills[0] = a;
    fills[1] = fills[2] = b;
    fills[1].at = inputs->b_row.data;
    fills[1].rows_stored = p.k;
    fills[1].ld = p.n;
    fills[2].at = inputs->b_col.data;
    fills[2].rows_stored = p.n;
    fills[2].ld = p.k;
    fills[2].transposed = true;
}

int inputs_special_fills(const struct inputs *inputs, uint64_t seed, struct fill *fills,
                         uint64_t changed[3]) {
    struct values_special list[VALUES_SPECIALS];
    int count = 0;
    values_specials(inputs->element, seed, inputs->shape, list);
    for (int i = 0; i < VALUES_SPECIALS; i++) {
        const struct values_special *s = &list[i];
        bool twice = false;
        for (int j = 0; j < i; j++)
            twice |=
                list[j].matrix == s->matrix && list[j].row == s->row && list[j].column == s->column;
        if (twice)
            continue;
        if (s->matrix == INPUT_A) {
            uint16_t *at = inputs->a.data + s->row * inputs->padded.k + s->column;
            fills[count++] = constant_fill(at, 1, s->bits);
            changed[0]++;
            continue;
        }
        uint16_t *row = inputs->b_row.data + s->row * inputs->padded.n + s->column;
        uint16_t *column = inputs->b_col.data + s->column * inputs->padded.k + s->row;
        fills[count++] = constant_fill(row, 1, s->bits);
        fills[count++] = constant_fill(column, 1, s->bits);
        changed[1]++;
        changed[2]++;
    }
    return count;
}

struct fill poison_fill(const struct guarded *c, int64_t elements) {
    return constant_fill(c->data, elements, ELEMENT_NAN);
}
