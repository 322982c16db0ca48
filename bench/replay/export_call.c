#include "bench/replay/export_call.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "candidates/recipe/recipe.h"
#include "candidates/recipe/recipe_words.h"

bool export_refuse(struct export_state *state, const char *format, ...) {
    va_list arguments;
    if (*state->why)
        return false;
    va_start(arguments, format);
    vsnprintf(state->why, RECORDING_WHY, format, arguments);
    va_end(arguments);
    return false;
}

void export_put(struct export_state *state, json_t *object, const char *key, json_t *value) {
    state->lost |= json_object_set_new(object, key, value) < 0;
}

void export_append(struct export_state *state, json_t *array, json_t *value) {
    state->lost |= json_array_append_new(array, value) < 0;
}

bool export_is_address(const struct export_state *state, uint64_t word) {
    const struct recording_head *head = &state->recording->head;
    return word >= head->base && word - head->base < head->base_bytes;
}

/* Memory that a recipe has a word for. */
struct region {
    const char *name;
    uint64_t at, bytes;
};
enum { REGIONS = 5, OWN = REGIONS - 1 };

/* No more than the range has: what a recording says of its sizes is not to be trusted. */
static uint64_t operand_bytes(const struct export_state *state, int64_t rows, int64_t columns) {
    const uint64_t most = state->recording->head.base_bytes;
    const __uint128_t bytes = (__uint128_t)rows * (__uint128_t)columns * sizeof(uint16_t);
    return bytes < most ? (uint64_t)bytes : most;
}

static void find_regions(const struct export_state *state, const struct recording_call *call,
                         struct region regions[REGIONS]) {
    const struct recording_head *head = &state->recording->head;
    const struct shape s = state->padded;
    regions[0] = (struct region){"a", call->a, operand_bytes(state, s.m, s.k)};
    regions[1] = (struct region){"b_row", call->b_row, operand_bytes(state, s.k, s.n)};
    regions[2] = (struct region){"b_col", call->b_col, operand_bytes(state, s.k, s.n)};
    regions[3] = (struct region){"c", call->c, operand_bytes(state, s.m, s.n)};
    regions[OWN] = (struct region){EXPORT_MEMORY, head->arena, head->arena_bytes};
}

static bool has(const struct region *region, uint64_t address, uint64_t bytes) {
    return address >= region->at && address - region->at < region->bytes &&
           bytes <= region->bytes - (address - region->at);
}

/* In words: where bytes lie that are in no region. */
static void describe(const struct region regions[REGIONS], uint64_t address, char text[80]) {
    const struct region *nearest = NULL;
    for (int i = 0; i < REGIONS; i++)
        if (address >= regions[i].at && (!nearest || regions[i].at > nearest->at))
            nearest = &regions[i];
    if (nearest)
        snprintf(text, 80, "byte %" PRIu64 " of %s, which has %" PRIu64, address - nearest->at,
                 nearest->name, nearest->bytes);
    else
        snprintf(text, 80, "it is before all of them");
}

bool export_address(struct export_state *state, const struct recording_call *call, uint64_t address,
                    uint64_t bytes, const char *const keys[2], const char *what, json_t *object) {
    struct region regions[REGIONS];
    char where[80];
    find_regions(state, call, regions);
    for (int i = 0; i < REGIONS; i++) {
        if (!has(&regions[i], address, bytes))
            continue;
        const uint64_t offset = address - regions[i].at;
        state->has_memory |= i == OWN;
        export_put(state, object, keys[0], json_string(regions[i].name));
        if (offset > 0)
            export_put(state, object, keys[1], json_integer((json_int_t)offset));
        return true;
    }
    describe(regions, address, where);
    return export_refuse(state,
                         "%s is 0x%" PRIx64 ", an address that is in none of A, B, C and its own "
                         "memory: %s",
                         what, address, where);
}

static const char *function_name(const struct export_state *state,
                                 const struct recording_launch *launch) {
    const struct recording *r = state->recording;
    return recording_name(r, r->functions[launch->function].name);
}

/* As many sizes as are not 1 behind the last of them. */
static void put_sizes(struct export_state *state, json_t *step, const char *key,
                      const uint32_t sizes[3]) {
    json_t *list = json_array();
    const int count = sizes[2] > 1 ? 3 : sizes[1] > 1 ? 2 : 1;
    for (int i = 0; i < count; i++)
        export_append(state, list, json_integer((json_int_t)sizes[i]));
    export_put(state, step, key, list);
}

static bool put_attribute(struct export_state *state, const struct recording_launch *launch,
                          const struct recording_attribute *attribute, json_t *step) {
    uint32_t words[3];
    memcpy(words, attribute->value, sizeof words);
    switch (attribute->id) {
    case RECORDING_COOPERATIVE:
        if (words[0])
            export_put(state, step, "cooperative", json_true());
        return true;
    case RECORDING_PROGRAMMATIC_SERIALIZATION:
        if (words[0])
            export_put(state, step, "programmatic_serialization", json_true());
        return true;
    case RECORDING_CLUSTER_DIMENSION:
        put_sizes(state, step, "cluster", words);
        return true;
    case RECORDING_CLUSTER_SCHEDULING:
        if (words[0] > 2)
            break;
        export_put(state, step, "cluster_scheduling", json_string(recipe_schedulings[words[0]]));
        return true;
    case RECORDING_CARVEOUT:
        if (words[0] > 100)
            break;
        export_put(state, step, "carveout", json_integer((json_int_t)words[0]));
        return true;
    }
    return export_refuse(state,
                         "its kernel %.80s is launched with attribute %u of cuda.h, whose value "
                         "begins with %u, and a recipe has no word for that",
                         function_name(state, launch), attribute->id, words[0]);
}

/* A recipe has one cubin. */
static bool take_image(struct export_state *state, const struct recording_launch *launch) {
    const uint32_t image = state->recording->functions[launch->function].image;
    if (state->image == RECORDING_NONE)
        state->image = image;
    return image == state->image ||
           export_refuse(state,
                         "its kernel %.80s is of another module than those before it, and a "
                         "recipe has one cubin",
                         function_name(state, launch));
}

/* Names come from a process that is not to be trusted. */
static bool put_name(struct export_state *state, const struct recording_launch *launch,
                     json_t *step) {
    json_t *name = json_string(function_name(state, launch));
    if (!name)
        return export_refuse(state, "the name of its kernel is no text");
    export_put(state, step, "function", name);
    return true;
}

static bool put_launch(struct export_state *state, const struct recording_call *call,
                       const struct recording_launch *launch, json_t *step) {
    const struct recording *r = state->recording;
    const struct recording_function *function = &r->functions[launch->function];
    if (!take_image(state, launch) || !put_name(state, launch, step))
        return false;
    if (function->cache != 0)
        return export_refuse(state,
                             "its kernel %.80s prefers L1 or shared memory, and a recipe has no "
                             "word for that",
                             function_name(state, launch));
    put_sizes(state, step, "grid", launch->grid);
    put_sizes(state, step, "block", launch->block);
    if (launch->shared_bytes > 0)
        export_put(state, step, "shared", json_integer((json_int_t)launch->shared_bytes));
    if (function->carveout >= 0)
        export_put(state, step, "carveout", json_integer(function->carveout));
    for (uint32_t i = 0; i < launch->attributes; i++)
        if (!put_attribute(state, launch, &r->attributes[launch->first_attribute + i], step))
            return false;
    export_put(state, step, "parameters", export_parameters(state, call, launch));
    return !*state->why;
}

/* A recipe fills with a byte, and without gaps. */
static bool put_fill(struct export_state *state, const struct recording_call *call,
                     const struct recording_fill *fill, json_t *step) {
    static const char *const keys[2] = {"fill", "at"};
    const uint64_t row = fill->width * fill->element, bytes = row * fill->height;
    const uint32_t byte = fill->value & 0xff;
    if (fill->to.variable != RECORDING_NONE)
        return export_refuse(state, "it fills a variable of its module");
    for (uint32_t i = 1; i < fill->element; i++)
        if ((fill->value >> 8 * i & 0xff) != byte)
            return export_refuse(state,
                                 "it fills memory with 0x%x in elements of %u bytes, and a "
                                 "recipe fills with a byte",
                                 fill->value, fill->element);
    if (fill->height > 1 && fill->pitch != row)
        return export_refuse(state, "it fills rows of memory with gaps between them");
    export_put(state, step, "bytes", json_integer((json_int_t)bytes));
    export_put(state, step, "value", json_integer((json_int_t)byte));
    if (!export_address(state, call, fill->to.offset, bytes, keys, "memory that it fills", step))
        return false;
    const char *base = json_string_value(json_object_get(step, "fill"));
    return !base || strcmp(base, "c") == 0 || strcmp(base, EXPORT_MEMORY) == 0 ||
           export_refuse(state, "it fills %s, which is an operand", base);
}

static bool put_step(struct export_state *state, const struct recording_call *call,
                     const struct recording_step *step, json_t *to) {
    if (step->kind == RECORDING_LAUNCH)
        return put_launch(state, call, &step->launch, to);
    if (step->kind == RECORDING_FILL)
        return put_fill(state, call, &step->fill, to);
    if (step->kind == RECORDING_GRAPH)
        return export_refuse(state, "it launches a graph, and a recipe has no such step");
    return export_refuse(state, "it copies memory of the device, and a recipe has no such step");
}

/* On one stream nothing waits for anything else. */
static bool is_order(const struct recording_step *step) {
    return step->kind == RECORDING_MARK || step->kind == RECORDING_WAIT;
}

json_t *export_call(struct export_state *state, uint32_t number) {
    const struct recording *r = state->recording;
    const struct recording_call *call = &r->calls[number];
    json_t *steps = json_array();
    bool good = true;
    uint32_t stream = RECORDING_NONE; /* of the step before */
    /* Before anything is made of them: a recording may claim any number. */
    if (call->steps > RECIPE_STEPS)
        good = export_refuse(state, "a call has %u steps, and a recipe has at most %d", call->steps,
                             RECIPE_STEPS);
    for (uint32_t i = 0; i < call->steps && good; i++) {
        const struct recording_step *step = &r->steps[call->first_step + i];
        if (is_order(step))
            continue;
        json_t *to = json_object();
        good = put_step(state, call, step, to);
        if (good && stream != RECORDING_NONE && step->stream != stream)
            good = export_refuse(state, "its work is on several streams, which may overlap, and a "
                                        "recipe has one");
        stream = step->stream;
        export_append(state, steps, to);
    }
    if (good && !state->lost)
        return steps;
    json_decref(steps);
    return NULL;
}
