#include "bench/replay/recording.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "bench/base/error.h"

#define X(type, name)                                                                              \
    _Static_assert(sizeof(struct recording_##type) % 8 == 0, "the tables keep their alignment");
RECORDING_TABLES(X)
#undef X
_Static_assert(sizeof(struct recording_head) % 8 == 0, "so does the first");

static const size_t entry_bytes[RECORDING_TABLE_COUNT] = {
#define X(type, name) sizeof(struct recording_##type),
    RECORDING_TABLES(X)
#undef X
};

static bool within(uint64_t first, uint64_t count, uint64_t all) {
    return first <= all && count <= all - first;
}

static bool is_span(const struct recording *r, struct recording_span span) {
    return within(span.at, span.size, r->head.blob_bytes);
}

static bool is_name(const struct recording *r, struct recording_span name) {
    return is_span(r, name) && name.size >= 2 && name.size <= RECORDING_MOST_NAME &&
           memchr(r->blob + name.at, 0, name.size) == r->blob + name.at + name.size - 1;
}

/* Whether rows lie in the range or in the variable. */
static bool is_place(const struct recording *r, struct recording_place place, uint64_t row,
                     uint64_t rows, uint64_t pitch) {
    uint64_t extent;
    if (row == 0 || rows == 0 || (rows > 1 && pitch < row) ||
        __builtin_mul_overflow(pitch, rows - 1, &extent) ||
        __builtin_add_overflow(extent, row, &extent))
        return false;
    if (place.variable == RECORDING_NONE)
        return place.offset >= r->head.base &&
               within(place.offset - r->head.base, extent, r->head.base_bytes);
    return place.variable < r->head.counts[RECORDING_TABLE_variables] &&
           within(place.offset, extent, r->variables[place.variable].held.size);
}

static bool is_fill(const struct recording *r, const struct recording_fill *fill) {
    uint64_t row;
    return (fill->element == 1 || fill->element == 2 || fill->element == 4) &&
           !__builtin_mul_overflow(fill->width, (uint64_t)fill->element, &row) &&
           is_place(r, fill->to, row, fill->height, fill->pitch);
}

static bool is_copy(const struct recording *r, const struct recording_copy *copy) {
    return is_place(r, copy->to, copy->width, copy->height, copy->to_pitch) &&
           is_place(r, copy->from, copy->width, copy->height, copy->from_pitch);
}

static bool are_parameters(const struct recording *r, const struct recording_launch *launch) {
    for (uint32_t i = 0; i < launch->parameters; i++) {
        const struct recording_parameter *p = &r->parameters[launch->first_parameter + i];
        if (p->size == 0 || !within(p->offset, p->size, launch->bytes.size))
            return false;
    }
    for (uint32_t i = 0; i < launch->pointers; i++) {
        const struct recording_pointer *p = &r->pointers[launch->first_pointer + i];
        if (!within(p->offset, 8, launch->bytes.size) ||
            p->variable >= r->head.counts[RECORDING_TABLE_variables] ||
            p->addend > r->variables[p->variable].held.size)
            return false;
    }
    return true;
}

static bool is_launch(const struct recording *r, const struct recording_launch *launch) {
    const uint32_t *counts = r->head.counts;
    for (int i = 0; i < 3; i++)
        if (launch->grid[i] == 0 || launch->grid[i] > INT32_MAX || launch->block[i] == 0 ||
            launch->block[i] > 1024)
            return false;
    return launch->function < counts[RECORDING_TABLE_functions] &&
           launch->shared_bytes <= 1 << 20 && launch->attributes <= 32 &&
           within(launch->first_attribute, launch->attributes,
                  counts[RECORDING_TABLE_attributes]) &&
           within(launch->first_parameter, launch->parameters,
                  counts[RECORDING_TABLE_parameters]) &&
           within(launch->first_pointer, launch->pointers, counts[RECORDING_TABLE_pointers]) &&
           launch->bytes.size <= RECORDING_MOST_PARAMETERS && is_span(r, launch->bytes) &&
           are_parameters(r, launch);
}

static bool is_step(const struct recording *r, const struct recording_step *step) {
    return step->kind == RECORDING_LAUNCH ? is_launch(r, &step->launch)
           : step->kind == RECORDING_FILL ? is_fill(r, &step->fill)
           : step->kind == RECORDING_COPY ? is_copy(r, &step->copy)
                                          : false;
}

static bool in_range(const struct recording *r, uint64_t address) {
    return address >= r->head.base && address - r->head.base < r->head.base_bytes;
}

static bool is_call(const struct recording *r, const struct recording_call *call) {
    return within(call->first_step, call->steps, r->head.counts[RECORDING_TABLE_steps]) &&
           in_range(r, call->a) && in_range(r, call->b_row) && in_range(r, call->b_col) &&
           in_range(r, call->c);
}

static bool is_function(const struct recording *r, const struct recording_function *function) {
    return function->image < r->head.counts[RECORDING_TABLE_images] && is_name(r, function->name) &&
           function->most_dynamic_shared >= 0 && function->most_dynamic_shared <= 1 << 20 &&
           function->carveout >= -1 && function->carveout <= 100 && function->large_clusters >= 0 &&
           function->large_clusters <= 1;
}

static bool is_variable(const struct recording *r, const struct recording_variable *variable) {
    return variable->image < r->head.counts[RECORDING_TABLE_images] && is_name(r, variable->name) &&
           variable->held.size > 0 && is_span(r, variable->held);
}

static bool is_memory(const struct recording *r, const struct recording_memory *memory) {
    return memory->held.size > 0 && is_span(r, memory->held) && memory->address >= r->head.arena &&
           within(memory->address - r->head.arena, memory->held.size, r->head.arena_bytes);
}

static bool is_map(const struct recording *r, const struct recording_map *map) {
    (void)r;
    return map->rank <= RECORDING_RANK;
}

static bool is_image(const struct recording *r, const struct recording_image *image) {
    return image->bytes.size >= 64 && is_span(r, image->bytes);
}

/* Whether looking at its launches is soon done. Those that a graph makes in every call share what
 * they have, so that a short recording could name long lists often. */
static bool are_few(const struct recording *r) {
    uint64_t all = 0;
    for (uint32_t i = 0; i < r->head.counts[RECORDING_TABLE_steps]; i++) {
        const struct recording_step *step = &r->steps[i];
        if (step->kind == RECORDING_LAUNCH)
            all +=
                (uint64_t)step->launch.parameters + step->launch.pointers + step->launch.attributes;
    }
    return all <= RECORDING_MOST_LOOKS;
}

#define ALL(table, is_sound)                                                                       \
    for (uint32_t i = 0; i < r->head.counts[RECORDING_TABLE_##table]; i++)                         \
        if (!is_sound(r, &r->table[i]))                                                            \
            return "one of its " #table " is malformed";

/* NULL, or what is wrong. */
static const char *find_fault(const struct recording *r) {
    const struct recording_head *head = &r->head;
    if (head->base_bytes == 0 || head->base > UINT64_MAX - head->base_bytes ||
        head->arena < head->base ||
        !within(head->arena - head->base, head->arena_bytes, head->base_bytes))
        return "its range of memory is malformed";
    if (head->counts[RECORDING_TABLE_calls] == 0 ||
        head->counts[RECORDING_TABLE_calls] > RECORDING_MOST_CALLS)
        return "it has no calls, or too many";
    ALL(images, is_image)
    ALL(functions, is_function)
    ALL(variables, is_variable)
    ALL(memories, is_memory)
    ALL(maps, is_map)
    if (!are_few(r))
        return "its launches have too many parameters";
    ALL(steps, is_step)
    ALL(calls, is_call)
    return NULL;
}

/* Finds the tables in the copy. NULL, or what is wrong. */
static const char *find_tables(struct recording *r, size_t size) {
    const unsigned char *tables[RECORDING_TABLE_COUNT];
    const unsigned char *bytes = r->memory;
    uint64_t at = sizeof r->head;
    if (size < sizeof r->head)
        return "it is too short";
    memcpy(&r->head, bytes, sizeof r->head);
    if (r->head.magic != RECORDING_MAGIC || r->head.version != RECORDING_VERSION)
        return "it is of another format";
    for (int i = 0; i < RECORDING_TABLE_COUNT; i++) {
        if (r->head.counts[i] > RECORDING_MOST_ENTRIES)
            return "it has too many entries";
        tables[i] = bytes + at;
        at += r->head.counts[i] * entry_bytes[i];
        if (at > size)
            return "it is too short";
    }
    if (r->head.blob_bytes != size - at)
        return "it is not as long as it says";
    r->blob = bytes + at;
#define X(type, name) r->name = (const void *)tables[RECORDING_TABLE_##name];
    RECORDING_TABLES(X)
#undef X
    return NULL;
}

int recording_read(const void *bytes, size_t size, struct recording *recording, const char **why) {
    memset(recording, 0, sizeof *recording);
    *why = "it is too long";
    if (size > RECORDING_MOST_BYTES)
        return 1;
    recording->memory = malloc(size ? size : 1);
    if (!recording->memory)
        return error("no memory for a recording of %zu bytes", size);
    if (size > 0)
        memcpy(recording->memory, bytes, size);
    *why = find_tables(recording, size);
    if (!*why)
        *why = find_fault(recording);
    if (!*why)
        return 0;
    recording_free(recording);
    return 1;
}

void recording_free(struct recording *recording) {
    free(recording->memory);
    memset(recording, 0, sizeof *recording);
}

const char *recording_name(const struct recording *recording, struct recording_span name) {
    return (const char *)recording->blob + name.at;
}
