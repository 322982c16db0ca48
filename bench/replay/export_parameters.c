/* Parameters of a launch. What is no address stays the number that it is: what it means is not
 * known. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "bench/replay/export_call.h"
#include "candidates/recipe/recipe.h"
#include "candidates/recipe/recipe_words.h"

enum { WORD = 8, MAP_BYTES = sizeof(((struct recording_map *)0)->bytes) };

static const char *const pointer_keys[2] = {"pointer", "offset"};

/* A parameter of a launch, in the bytes of the recording. */
struct given {
    struct export_state *state;
    const struct recording_call *call;
    const unsigned char *bytes;
    uint32_t size;
    char what[120]; /* like "parameter 2 of its kernel matmul" */
};

static uint64_t word_at(const unsigned char *bytes) {
    uint64_t word;
    memcpy(&word, bytes, sizeof word);
    return word;
}

/* The map whose bytes these are, or NULL. */
static const struct recording_map *find_map(const struct recording *r, const unsigned char *bytes) {
    for (uint32_t i = r->head.counts[RECORDING_TABLE_maps]; i-- > 0;)
        if (memcmp(r->maps[i].bytes, bytes, MAP_BYTES) == 0)
            return &r->maps[i];
    return NULL;
}

/* The word for a number of cuda.h. */
static void put_word(const struct given *given, json_t *map, const char *key,
                     const char *const *words, uint32_t number) {
    uint32_t count = 0;
    while (words[count])
        count++;
    if (number < count)
        export_put(given->state, map, key, json_string(words[number]));
    else
        export_refuse(given->state,
                      "%s is a tensor map whose %s is %u in cuda.h, and a recipe has no word for "
                      "that",
                      given->what, key, number);
}

static json_t *numbers(struct export_state *state, const uint64_t *list, uint32_t count) {
    json_t *array = json_array();
    for (uint32_t i = 0; i < count; i++)
        export_append(state, array, json_integer((json_int_t)list[i]));
    return array;
}

static json_t *make_map(const struct given *given, const struct recording_map *from) {
    struct export_state *state = given->state;
    json_t *map = json_object();
    if (from->rank == 0) {
        export_refuse(state,
                      "%s is a tensor map that cuTensorMapEncodeTiled has not made, and a recipe "
                      "has no words for that",
                      given->what);
        return map;
    }
    export_address(state, given->call, from->address, 1, pointer_keys, given->what, map);
    put_word(given, map, "type", recipe_types, from->type);
    export_put(state, map, "dims", numbers(state, from->dims, from->rank));
    export_put(state, map, "strides", numbers(state, from->strides, from->rank - 1));
    export_put(state, map, "box", numbers(state, from->box, from->rank));
    export_put(state, map, "steps", numbers(state, from->steps, from->rank));
    put_word(given, map, "interleave", recipe_interleaves, from->interleave);
    put_word(given, map, "swizzle", recipe_swizzles, from->swizzle);
    put_word(given, map, "l2_promotion", recipe_promotions, from->l2_promotion);
    put_word(given, map, "fill", recipe_fills, from->fill);
    return map;
}

/* A number of 1, 2, 4 or 8 bytes, or an address. */
static json_t *make_number(const struct given *given) {
    struct export_state *state = given->state;
    json_t *value = json_object();
    char key[8];
    int64_t number = 0;
    const int unused = 64 - 8 * (int)given->size;
    memcpy(&number, given->bytes, given->size); /* little-endian, as the device is */
    number = (int64_t)((uint64_t)number << unused) >> unused;
    if (given->size == WORD && export_is_address(state, (uint64_t)number)) {
        export_address(state, given->call, (uint64_t)number, 1, pointer_keys, given->what, value);
        return value;
    }
    snprintf(key, sizeof key, "i%u", 8 * given->size);
    export_put(state, value, key, json_integer(number));
    return value;
}

static void put_field(struct export_state *state, json_t *fields, uint32_t at, json_t *field) {
    export_put(state, field, "at", json_integer((json_int_t)at));
    export_append(state, fields, field);
}

/* The maps and addresses in a structure; their bytes are set to 0 in `rest`. */
static json_t *make_fields(const struct given *given, unsigned char *rest) {
    struct export_state *state = given->state;
    json_t *fields = json_array();
    for (uint32_t at = 0; at + WORD <= given->size;) {
        const bool fits = given->size - at >= MAP_BYTES;
        const struct recording_map *map =
            fits ? find_map(state->recording, given->bytes + at) : NULL;
        const uint64_t word = word_at(given->bytes + at);
        const uint32_t bytes = map ? MAP_BYTES : WORD;
        json_t *field = map || export_is_address(state, word) ? json_object() : NULL;
        if (map)
            export_put(state, field, "tensor_map", make_map(given, map));
        else if (field)
            export_address(state, given->call, word, 1, pointer_keys, given->what, field);
        if (field) {
            put_field(state, fields, at, field);
            memset(rest + at, 0, bytes);
        }
        at += bytes;
    }
    return fields;
}

static void put_bytes(struct export_state *state, json_t *value, const unsigned char *bytes,
                      uint32_t size) {
    static char digits[2 * RECORDING_MOST_PARAMETERS + 1];
    bool any = false;
    for (uint32_t i = 0; i < size; i++) {
        snprintf(digits + 2 * (size_t)i, 3, "%02x", bytes[i]);
        any |= bytes[i] != 0;
    }
    if (any)
        export_put(state, value, "bytes", json_string(digits));
}

static json_t *make_structure(const struct given *given) {
    static unsigned char rest[RECORDING_MOST_PARAMETERS];
    struct export_state *state = given->state;
    json_t *value = json_object();
    const struct recording_map *map =
        given->size == MAP_BYTES ? find_map(state->recording, given->bytes) : NULL;
    if (map) {
        export_put(state, value, "tensor_map", make_map(given, map));
        return value;
    }
    if (given->size == MAP_BYTES && export_is_address(state, word_at(given->bytes)))
        export_refuse(state,
                      "%s has the size of a tensor map and begins with an address, and nobody was "
                      "seen making a tensor map like that",
                      given->what);
    memcpy(rest, given->bytes, given->size);
    json_t *fields = make_fields(given, rest);
    export_put(state, value, "struct", json_integer((json_int_t)given->size));
    put_bytes(state, value, rest, given->size);
    if (json_array_size(fields) > 0)
        export_put(state, value, "fields", fields);
    else
        json_decref(fields);
    return value;
}

static bool is_number(uint32_t size) {
    return size == 1 || size == 2 || size == 4 || size == WORD;
}

/* Whether there are so few that a recipe may have them, and that making it takes no long time. */
static bool are_few(struct export_state *state, const struct recording_launch *launch,
                    const char *name) {
    enum { MOST_MAPS = 1024 };
    const struct recording *r = state->recording;
    uint64_t bytes = 0;
    for (uint32_t i = 0; i < launch->parameters; i++)
        bytes += r->parameters[launch->first_parameter + i].size;
    if (launch->parameters > RECIPE_PARAMETERS || bytes > RECIPE_BYTES)
        return export_refuse(state,
                             "its kernel %.80s takes %u parameters of %" PRIu64 " bytes, and in a "
                             "recipe %d of %d bytes at most",
                             name, launch->parameters, bytes, RECIPE_PARAMETERS, RECIPE_BYTES);
    return r->head.counts[RECORDING_TABLE_maps] <= MOST_MAPS ||
           export_refuse(state, "it makes %u tensor maps, of which %d are looked at",
                         r->head.counts[RECORDING_TABLE_maps], MOST_MAPS);
}

json_t *export_parameters(struct export_state *state, const struct recording_call *call,
                          const struct recording_launch *launch) {
    const struct recording *r = state->recording;
    const char *name = recording_name(r, r->functions[launch->function].name);
    json_t *list = json_array();
    if (launch->pointers > 0)
        export_refuse(
            state, "its kernel %.80s is given an address in %.80s, a variable of a module", name,
            recording_name(r, r->variables[r->pointers[launch->first_pointer].variable].name));
    const bool few = are_few(state, launch, name);
    for (uint32_t i = 0; i < launch->parameters && few && !*state->why; i++) {
        const struct recording_parameter *p = &r->parameters[launch->first_parameter + i];
        struct given given = {state, call, r->blob + launch->bytes.at + p->offset, p->size, ""};
        snprintf(given.what, sizeof given.what, "parameter %u of its kernel %.60s", i + 1, name);
        export_append(state, list,
                      is_number(p->size) ? make_number(&given) : make_structure(&given));
    }
    return list;
}
