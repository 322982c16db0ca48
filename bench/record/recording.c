#include "bench/record/recording.h"

#include <stdlib.h>
#include <string.h>

#include "bench/base/error.h"
#include "bench/record/cubin.h"

#define X(type, name)                                                                              \
    _Static_assert(sizeof(struct recording_##type) % 8 == 0, "the tables keep their alignment");
RECORDING_TABLES(X)
#undef X
_Static_assert(sizeof(struct recording_head) % 8 == 0, "so does the first");

const size_t recording_entry_bytes[RECORDING_TABLE_COUNT] = {
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

static bool is_pointer(const struct recording *r, const struct recording_pointer *p) {
    return within(p->at, 8, r->head.blob_bytes) &&
           p->variable < r->head.counts[RECORDING_TABLE_variables] &&
           p->addend <= r->variables[p->variable].held.size;
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
           launch->bytes.size <= RECORDING_MOST_PARAMETERS && is_span(r, launch->bytes);
}

/* Checks of a step that do not need its call. */
static bool is_step(const struct recording *r, const struct recording_step *step) {
    return step->kind > 0 && step->kind < RECORDING_KINDS &&
           (step->kind != RECORDING_LAUNCH || is_launch(r, &step->launch));
}

/* Operands lie before the arena. */
static bool is_operand(const struct recording *r, uint64_t address) {
    return address >= r->head.base && address < r->head.arena;
}

static bool is_call(const struct recording *r, const struct recording_call *call) {
    const uint32_t first = call == r->calls ? 0 : call[-1].first_step + call[-1].steps;
    return call->first_step == first &&
           within(first, call->steps, r->head.counts[RECORDING_TABLE_steps]) &&
           is_operand(r, call->a) && is_operand(r, call->b_row) && is_operand(r, call->b_col) &&
           is_operand(r, call->c);
}

/* Where an operand of a call is. How large it is, is not known: it ends where another begins. */
struct region {
    uint64_t begin, end;
};
enum { C, A, B_ROW, B_COL, OPERANDS };

struct scope {
    const struct recording *recording;
    const struct recording_call *call;
    struct region operands[OPERANDS];
};

static void end_at(struct region *region, uint64_t address) {
    if (address > region->begin && address < region->end)
        region->end = address;
}

static struct scope make_scope(const struct recording *r, const struct recording_call *call) {
    struct scope scope = {
        r, call, {{call->c, 0}, {call->a, 0}, {call->b_row, 0}, {call->b_col, 0}}};
    for (int i = 0; i < OPERANDS; i++) {
        scope.operands[i].end = r->head.arena;
        for (uint32_t j = 0; j < r->head.counts[RECORDING_TABLE_calls]; j++) {
            const struct recording_call *other = &r->calls[j];
            end_at(&scope.operands[i], other->a);
            end_at(&scope.operands[i], other->b_row);
            end_at(&scope.operands[i], other->b_col);
            end_at(&scope.operands[i], other->c);
        }
    }
    return scope;
}

static const char malformed[] = "one of its steps is malformed";

/* Rows of memory that a step writes, or reads. NULL, or what is wrong. */
static const char *look_at_address(const struct scope *scope, struct recording_address address,
                                   bool written, uint64_t row, uint64_t rows, uint64_t pitch) {
    const struct recording *r = scope->recording;
    uint64_t extent;
    if (row == 0 || rows == 0 || (rows > 1 && pitch < row) ||
        __builtin_mul_overflow(pitch, rows - 1, &extent) ||
        __builtin_add_overflow(extent, row, &extent))
        return malformed;
    if (address.variable < r->head.counts[RECORDING_TABLE_variables])
        return within(address.offset, extent, r->variables[address.variable].held.size) ? NULL
                                                                                        : malformed;
    if (address.variable != RECORDING_NONE)
        return malformed;
    if (address.offset >= r->head.arena &&
        within(address.offset - r->head.arena, extent, r->head.arena_bytes))
        return NULL;
    for (int i = C; i < (written ? A : OPERANDS); i++) {
        const struct region *operand = &scope->operands[i];
        if (address.offset >= operand->begin && within(address.offset, extent, operand->end))
            return NULL;
    }
    return written ? "a fill or copy writes what is neither C of its call nor the kernel's own"
                   : "a copy reads what is neither an operand of its call nor the kernel's own";
}

static const char *look_at_fill(const struct scope *scope, const struct recording_fill *fill) {
    uint64_t bytes;
    if ((fill->element != 1 && fill->element != 2 && fill->element != 4) ||
        __builtin_mul_overflow(fill->count, (uint64_t)fill->element, &bytes))
        return malformed;
    return look_at_address(scope, fill->to, true, bytes, 1, 0);
}

static const char *look_at_copy(const struct scope *scope, const struct recording_copy *copy) {
    const char *fault =
        look_at_address(scope, copy->to, true, copy->width, copy->height, copy->to_pitch);
    return fault ? fault
                 : look_at_address(scope, copy->from, false, copy->width, copy->height,
                                   copy->from_pitch);
}

static const char *look_at_step(const struct scope *scope, const struct recording_step *step) {
    return step->kind == RECORDING_FILL   ? look_at_fill(scope, &step->fill)
           : step->kind == RECORDING_COPY ? look_at_copy(scope, &step->copy)
                                          : NULL;
}

static const char *look_at_call(const struct recording *r, const struct recording_call *call) {
    const struct scope scope = make_scope(r, call);
    const char *fault = NULL;
    for (uint32_t i = 0; i < call->steps && !fault; i++)
        fault = look_at_step(&scope, &r->steps[call->first_step + i]);
    return fault;
}

static bool is_function(const struct recording *r, const struct recording_function *function) {
    return function->image < r->head.counts[RECORDING_TABLE_images] && is_name(r, function->name) &&
           function->most_dynamic_shared >= 0 && function->most_dynamic_shared <= 1 << 20 &&
           function->carveout >= -1 && function->carveout <= 100 && function->large_clusters >= 0 &&
           function->large_clusters <= 1 && function->cache >= 0 && function->cache <= 3;
}

static bool is_variable(const struct recording *r, const struct recording_variable *variable) {
    return variable->image < r->head.counts[RECORDING_TABLE_images] && is_name(r, variable->name) &&
           is_span(r, variable->held) && variable->held.size > 0;
}

static bool is_memory(const struct recording *r, const struct recording_memory *memory) {
    return memory->held.size > 0 && is_span(r, memory->held) && memory->address >= r->head.arena &&
           within(memory->address - r->head.arena, memory->held.size, r->head.arena_bytes);
}

bool recording_knows_attribute(uint32_t id) {
    switch (id) {
#define X(name, number) case number:
        RECORDING_ATTRIBUTES(X)
#undef X
        return true;
    default:
        return false;
    }
}

static bool is_attribute(const struct recording *r, const struct recording_attribute *attribute) {
    (void)r;
    return recording_knows_attribute(attribute->id);
}

static const char *look_at_image(const struct recording *r, const struct recording_image *image) {
    if (!is_span(r, image->bytes))
        return "one of its images is malformed";
    const unsigned char *bytes = r->blob + image->bytes.at;
    if (!cubin_is_whole(bytes, image->bytes.size))
        return "one of its images is no ELF file of code for a GPU, or not a whole one";
    return cubin_asks_device(bytes, image->bytes.size)
               ? "a kernel of it may print, allocate memory or launch kernels by itself"
               : NULL;
}

#define ALL(table, is_sound)                                                                       \
    for (uint32_t i = 0; i < r->head.counts[RECORDING_TABLE_##table]; i++)                         \
        if (!is_sound(r, &r->table[i]))                                                            \
            return "one of its " #table " is malformed";

/* NULL, or what is wrong. */
static const char *find_fault(const struct recording *r) {
    const struct recording_head *head = &r->head;
    const char *fault = NULL;
    if (head->base > UINT64_MAX - head->base_bytes || head->arena < head->base ||
        !within(head->arena - head->base, head->arena_bytes, head->base_bytes))
        return "its range of memory is malformed";
    if (head->counts[RECORDING_TABLE_calls] == 0 ||
        head->counts[RECORDING_TABLE_calls] > RECORDING_MOST_CALLS)
        return "it has no calls, or too many";
    for (uint32_t i = 0; i < head->counts[RECORDING_TABLE_images] && !fault; i++)
        fault = look_at_image(r, &r->images[i]);
    if (fault)
        return fault;
    ALL(functions, is_function)
    ALL(variables, is_variable)
    ALL(memories, is_memory)
    ALL(pointers, is_pointer)
    ALL(attributes, is_attribute)
    ALL(steps, is_step)
    ALL(calls, is_call)
    for (uint32_t i = 0; i < head->counts[RECORDING_TABLE_calls] && !fault; i++)
        fault = look_at_call(r, &r->calls[i]);
    return fault;
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
        at += r->head.counts[i] * recording_entry_bytes[i];
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
    recording->memory = malloc(size + 1);
    if (!recording->memory)
        return error("no memory for a recording of %zu bytes", size);
    if (size > 0)
        memcpy(recording->memory, bytes, size);
    ((char *)recording->memory)[size] = 0;
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

int recording_calls(const struct recording *recording) {
    return (int)recording->head.counts[RECORDING_TABLE_calls];
}
