/* What a launch is given: numbers, addresses, tensor maps, and structures of these. */
#include <string.h>

#include "candidates/recipe/recipe_walk.h"

/* Every parameter begins at such a multiple, as a CUtensorMap wants. */
#define PARAMETER_ALIGN 64

/* A kind of value, and how many bytes it takes. Those of numbers come first. */
static const struct kind {
    const char *key;
    uint32_t bytes;
    bool real;
} kinds[] = {{"i8", 1, false},      {"i16", 2, false},
             {"i32", 4, false},     {"i64", 8, false},
             {"f32", 4, true},      {"f64", 8, true},
             {"pointer", 8, false}, {"tensor_map", RECORDING_MAP_BYTES, false}};
enum { NUMBERS = 6, POINTER = NUMBERS, TENSOR_MAP, KINDS };

/* Where an address may begin, but for the recipe's memory. */
static const struct base {
    const char *name;
    uint32_t variable;
} bases[] = {{"null", RECORDING_NONE},
             {"a", RECORDING_A},
             {"b_row", RECORDING_B_ROW},
             {"b_col", RECORDING_B_COL},
             {"c", RECORDING_C}};
enum { BASES = sizeof bases / sizeof *bases };

/* The launch whose parameters are taken, and their bytes. */
struct taking {
    struct recording_launch *launch;
    unsigned char bytes[RECIPE_BYTES];
};

/* Words of a tensor map. A word's place in its list is the number that cuda.h has for it. */
static const char *const types[] = {"u8",  "u16", "u32", "i32",  "u64", "i64",
                                    "f16", "f32", "f64", "bf16", NULL};
static const char *const interleaves[] = {"none", "16B", "32B", NULL};
static const char *const swizzles[] = {"none", "32B", "64B", "128B", NULL};
static const char *const promotions[] = {"none", "64B", "128B", "256B", NULL};
static const char *const fills[] = {"zero", "nan", NULL};

static int find_memory(const json_t *memories, const char *name) {
    const char *key;
    json_t *value;
    int number = 0;
    json_object_foreach((json_t *)memories, key, value) {
        if (strcmp(key, name) == 0)
            return number;
        number++;
    }
    return -1;
}

bool recipe_take_address(struct walk *walk, const json_t *object, const char *base_key,
                         const char *offset_key, struct recording_place *place) {
    const char *name;
    int base = 0;
    int64_t offset = 0;
    if (!walk_text(walk, object, base_key, true, &name))
        return false;
    while (base < BASES && strcmp(bases[base].name, name) != 0)
        base++;
    const int memory =
        base < BASES ? 0 : find_memory(json_object_get(walk->recipe->json, "memory"), name);
    if (memory < 0) {
        walk_into(walk, base_key, 0);
        return walk_fail(walk,
                         "is '%.40s', which is none of null, a, b_row, b_col, c and the recipe's "
                         "memory",
                         name);
    }
    if (!walk_member(walk, object, offset_key, 0, INT64_C(1) << 40, &offset))
        return false;
    *place =
        (struct recording_place){.variable = base < BASES ? bases[base].variable : (uint32_t)memory,
                                 .offset = (uint64_t)offset};
    return true;
}

uint32_t recipe_variable(const struct walk *walk, uint32_t number) {
    return number < RECIPE_MEMORIES ? walk->work->memories[number].variable : number;
}

/* Signed or unsigned, as it fits. */
static bool take_integer(struct walk *walk, const json_t *json, const struct kind *kind,
                         unsigned char *to) {
    const int bits = 8 * (int)kind->bytes;
    const int64_t least = bits == 64 ? INT64_MIN : -(INT64_C(1) << (bits - 1));
    const int64_t most = bits == 64 ? INT64_MAX : (INT64_C(1) << bits) - 1;
    int64_t value;
    if (!walk_integer(walk, json, least, most, &value))
        return false;
    memcpy(to, &value, kind->bytes); /* little-endian, as the device is */
    return true;
}

static bool take_real(struct walk *walk, const json_t *json, const struct kind *kind,
                      unsigned char *to) {
    const double value = json_number_value(json);
    const float narrow = (float)value;
    if (!json_is_number(json))
        return walk_fail(walk, "is to be a number");
    if (kind->bytes == sizeof narrow)
        memcpy(to, &narrow, sizeof narrow);
    else
        memcpy(to, &value, sizeof value);
    return true;
}

/* An address, or the map of what is there; NULL: none. */
static bool take_pointer(struct walk *walk, const json_t *object, uint32_t at,
                         const struct recording_map *map, struct taking *taking) {
    struct recording_writer *writer = &walk->work->writer;
    struct recording_place place;
    if (!recipe_take_address(walk, object, "pointer", "offset", &place))
        return false;
    const struct recording_pointer pointer = {.offset = at,
                                              .variable = recipe_variable(walk, place.variable),
                                              .addend = place.offset,
                                              .map = map ? recording_add_map(writer, map)
                                                         : RECORDING_NONE};
    recording_add_pointer(writer, &pointer);
    taking->launch->pointers++;
    return true;
}

static bool take_map_sizes(struct walk *walk, const json_t *object, struct recording_map *map) {
    enum { MOST_BOX = 256, MOST_STEP = 8, RANK = RECORDING_RANK };
    size_t rank, strides, boxes, steps;
    if (!walk_list(walk, object, "dims", 1, RANK, 1, INT64_C(1) << 32, (int64_t *)map->dims,
                   &rank) ||
        !walk_list(walk, object, "strides", rank - 1, rank - 1, 16, INT64_C(1) << 40,
                   (int64_t *)map->strides, &strides) ||
        !walk_list(walk, object, "box", rank, rank, 1, MOST_BOX, (int64_t *)map->box, &boxes) ||
        !walk_list(walk, object, "steps", 0, rank, 1, MOST_STEP, (int64_t *)map->steps, &steps))
        return false;
    for (; steps < rank; steps++)
        map->steps[steps] = 1;
    map->rank = (uint32_t)rank;
    return true;
}

static bool take_map(struct walk *walk, const json_t *object, uint32_t at, struct taking *taking) {
    static const char *const keys[] = {"pointer",      "offset", "type",       "dims",
                                       "strides",      "box",    "steps",      "swizzle",
                                       "l2_promotion", "fill",   "interleave", NULL};
    struct recording_map map = {.type = RECORDING_NONE};
    if (!walk_keys(walk, object, keys) || !take_map_sizes(walk, object, &map) ||
        !walk_word(walk, object, "type", types, &map.type) ||
        !walk_word(walk, object, "interleave", interleaves, &map.interleave) ||
        !walk_word(walk, object, "swizzle", swizzles, &map.swizzle) ||
        !walk_word(walk, object, "l2_promotion", promotions, &map.l2_promotion) ||
        !walk_word(walk, object, "fill", fills, &map.fill))
        return false;
    if (map.type == RECORDING_NONE)
        return walk_fail(walk, "has no type, like f16");
    return take_pointer(walk, object, at, &map, taking);
}

/* The kind of a value by its key, or NULL. */
static const struct kind *find_kind(const json_t *object) {
    for (int i = 0; i < KINDS; i++)
        if (json_object_get(object, kinds[i].key))
            return &kinds[i];
    return NULL;
}

static bool take_kind(struct walk *walk, const json_t *object, const struct kind *kind, uint32_t at,
                      struct taking *taking) {
    if (kind == &kinds[POINTER])
        return take_pointer(walk, object, at, NULL, taking);
    const json_t *json = json_object_get(object, kind->key);
    const size_t before = walk_into(walk, kind->key, 0);
    if (kind == &kinds[TENSOR_MAP] && at % PARAMETER_ALIGN != 0)
        return walk_fail(walk, "is not at a multiple of %d bytes", PARAMETER_ALIGN);
    unsigned char *to = taking->bytes + at;
    const bool good = kind == &kinds[TENSOR_MAP] ? take_map(walk, json, at, taking)
                      : kind->real               ? take_real(walk, json, kind, to)
                                                 : take_integer(walk, json, kind, to);
    if (good)
        walk_back(walk, before);
    return good;
}

static bool refuse_value(struct walk *walk) {
    return walk_fail(walk, "has no value: pointer, i8, i16, i32, i64, f32, f64, tensor_map or "
                           "struct");
}

/* A structure's bytes where no field lies. */
static bool take_bytes(struct walk *walk, const json_t *object, uint32_t size, unsigned char *to) {
    static const char digits[] = "0123456789abcdef";
    const size_t wanted = 2 * (size_t)size;
    const char *text;
    if (!walk_text(walk, object, "bytes", false, &text))
        return false;
    if (text && (strlen(text) != wanted || strspn(text, digits) != wanted)) {
        walk_into(walk, "bytes", 0);
        return walk_fail(walk, "is to be %u bytes, in hexadecimal digits with small letters", size);
    }
    for (uint32_t i = 0; text && i < size; i++)
        to[i] = (unsigned char)((strchr(digits, text[2 * i]) - digits) << 4 |
                                (strchr(digits, text[2 * i + 1]) - digits));
    return true;
}

static bool take_field(struct walk *walk, const json_t *field, uint32_t at, uint32_t size,
                       struct taking *taking) {
    const struct kind *kind = find_kind(field);
    int64_t inside = -1;
    const char *const keys[] = {"at", kind ? kind->key : "at",
                                kind == &kinds[POINTER] ? "offset" : "at", NULL};
    if (!json_is_object(field) || !kind)
        return refuse_value(walk);
    if (!walk_keys(walk, field, keys) ||
        !walk_member(walk, field, "at", 0, (int64_t)size - 1, &inside))
        return false;
    if (inside < 0 || inside + kind->bytes > size)
        return walk_fail(walk, "is to have an 'at' so that it lies within the structure's %u bytes",
                         size);
    return take_kind(walk, field, kind, at + (uint32_t)inside, taking);
}

static bool take_struct(struct walk *walk, const json_t *object, uint32_t at, struct taking *taking,
                        uint32_t *size) {
    static const char *const keys[] = {"struct", "bytes", "fields", NULL};
    const json_t *fields = json_object_get(object, "fields");
    int64_t bytes = 0;
    if (!walk_keys(walk, object, keys) ||
        !walk_member(walk, object, "struct", 1, RECIPE_BYTES - at, &bytes) ||
        !take_bytes(walk, object, (uint32_t)bytes, taking->bytes + at))
        return false;
    *size = (uint32_t)bytes;
    const size_t before = walk_into(walk, "fields", 0);
    if (fields && !json_is_array(fields))
        return walk_fail(walk, "is no array");
    for (size_t i = 0; i < json_array_size(fields); i++) {
        const size_t inside = walk_into(walk, NULL, i);
        if (!take_field(walk, json_array_get(fields, i), at, *size, taking))
            return false;
        walk_back(walk, inside);
    }
    walk_back(walk, before);
    return true;
}

static bool take_parameter(struct walk *walk, const json_t *json, uint32_t at,
                           struct taking *taking, uint32_t *size) {
    const struct kind *kind = find_kind(json);
    const char *const keys[] = {kind ? kind->key : "", kind == &kinds[POINTER] ? "offset" : NULL,
                                NULL};
    if (json_object_get(json, "struct"))
        return take_struct(walk, json, at, taking, size);
    if (!json_is_object(json) || !kind)
        return refuse_value(walk);
    *size = kind->bytes;
    return walk_keys(walk, json, keys) && take_kind(walk, json, kind, at, taking);
}

/* They are handed over one by one, so where they lie in the kernel's own list does not matter. */
bool recipe_take_parameters(struct walk *walk, const json_t *list, const char *function,
                            const struct cubin_kernel *kernel, struct recording_launch *launch) {
    struct recording_writer *writer = &walk->work->writer;
    struct taking taking = {.launch = launch};
    const size_t count = json_array_size(list);
    uint32_t at = 0, end = 0;
    if (!json_is_array(list) || count > RECIPE_PARAMETERS)
        return walk_fail(walk, "is to be an array of at most %d parameters", RECIPE_PARAMETERS);
    launch->first_parameter = recording_next(writer, RECORDING_TABLE_parameters);
    launch->first_pointer = recording_next(writer, RECORDING_TABLE_pointers);
    launch->parameters = (uint32_t)count;
    for (uint32_t i = 0; i < count; i++) {
        const size_t before = walk_into(walk, NULL, i);
        uint32_t size = 0;
        if (at + RECORDING_MAP_BYTES > RECIPE_BYTES)
            return walk_fail(walk, "is one too many: all take at most %d bytes", RECIPE_BYTES);
        if (!take_parameter(walk, json_array_get(list, i), at, &taking, &size))
            return false;
        if (count == kernel->parameters && size != kernel->list[i].size)
            return walk_fail(walk, "has %u bytes, and %.80s takes %u there", size, function,
                             kernel->list[i].size);
        recording_add_parameter(writer, &(struct recording_parameter){at, size});
        end = at + size;
        at += (size + PARAMETER_ALIGN - 1) / PARAMETER_ALIGN * PARAMETER_ALIGN;
        walk_back(walk, before);
    }
    if (kernel->parameters != count)
        return walk_fail(walk, "are %zu, and %.80s takes %u", count, function, kernel->parameters);
    launch->bytes = recording_add_bytes(writer, taking.bytes, end);
    return true;
}
