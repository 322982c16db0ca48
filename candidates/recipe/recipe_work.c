/* A recipe worked out for a problem; or only looked over, where the problem is not known. */
#include <stdio.h>
#include <string.h>

#include "candidates/recipe/recipe_walk.h"

#define MOST_MEMORY (INT64_C(1) << 40)
#define MOST_SHARED (INT64_C(1) << 20)
#define MOST_CLUSTER 16
#define PORTABLE_CLUSTER 8 /* blocks that every GPU with clusters allows */

static bool is_word(const char *text) {
    static const char first[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_";
    static const char others[] = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_";
    return *text && strchr(first, *text) && strspn(text, others) == strlen(text);
}

static bool is_taken(const struct expression_scope *scope, const char *name) {
    for (int i = 0; i < scope->count; i++)
        if (strcmp(scope->list[i].name, name) == 0)
            return true;
    return false;
}

/* Each may name those before it. */
static bool take_constants(struct walk *walk) {
    json_t *constants = json_object_get(walk->recipe->json, "constants"), *json;
    const size_t before = walk_into(walk, "constants", 0);
    const char *name;
    if (constants && !json_is_object(constants))
        return walk_fail(walk, "is no object");
    json_object_foreach(constants, name, json) {
        const size_t inside = walk_into(walk, name, 0);
        int64_t value = 0;
        if (!is_word(name))
            return walk_fail(walk, "is no name: letters, digits and _, and no digit first");
        if (is_taken(&walk->scope, name))
            return walk_fail(walk, "is a name that there is");
        if (!walk_integer(walk, json, INT64_MIN, INT64_MAX, &value))
            return false;
        if (!expression_add(&walk->scope, name, value))
            return walk_fail(walk, "is one too many; there are %d names at most", EXPRESSION_NAMES);
        walk_back(walk, inside);
    }
    walk_back(walk, before);
    return true;
}

static bool take_can_do(struct walk *walk, bool *served) {
    int64_t value = 1;
    if (!walk_member(walk, walk->recipe->json, "can_do", INT64_MIN, INT64_MAX, &value))
        return false;
    *served = value != 0 || !walk->known;
    return true;
}

/* The driver serves no memory of no bytes. */
static void add_memory(struct walk *walk, uint64_t bytes, uint32_t fill) {
    struct recipe_work *work = walk->work;
    struct recipe_memory *memory = &work->memories[work->memory_count];
    const struct file_bytes *held = &walk->recipe->held[work->memory_count++];
    *memory = (struct recipe_memory){bytes, RECORDING_NONE};
    if (bytes == 0 || !walk->known)
        return;
    const struct recording_variable variable = {
        .image = RECORDING_NONE,
        .fill = fill,
        .held = recording_add_bytes(&work->writer, held->bytes, held->size),
        .rest = bytes - held->size};
    memory->variable = recording_add_variable(&work->writer, &variable);
}

static bool take_memory(struct walk *walk, const char *name, const json_t *json) {
    static const char *const keys[] = {"bytes", "fill", "file", NULL};
    const size_t before = walk_into(walk, name, 0);
    int64_t bytes = -1, fill = 0;
    if (!is_word(name))
        return walk_fail(walk, "is no name: letters, digits and _, and no digit first");
    if (!walk_keys(walk, json, keys) || !walk_member(walk, json, "bytes", 0, MOST_MEMORY, &bytes) ||
        !walk_member(walk, json, "fill", 0, 255, &fill))
        return false;
    if (bytes < 0)
        return walk_fail(walk, "has no bytes: how large it is");
    if (walk->known && walk->recipe->held[walk->work->memory_count].size > (uint64_t)bytes)
        return walk_fail(walk, "has %lld bytes, and its file is larger", (long long)bytes);
    add_memory(walk, (uint64_t)bytes, (uint32_t)fill);
    walk_back(walk, before);
    return true;
}

static bool take_memories(struct walk *walk) {
    json_t *memories = json_object_get(walk->recipe->json, "memory"), *json;
    const size_t before = walk_into(walk, "memory", 0);
    const char *name;
    if (memories && !json_is_object(memories))
        return walk_fail(walk, "is no object");
    json_object_foreach(memories, name, json) {
        if (walk->work->memory_count == RECIPE_MEMORIES)
            return walk_fail(walk, "has too much in it: there are %d at most", RECIPE_MEMORIES);
        if (!take_memory(walk, name, json))
            return false;
    }
    walk_back(walk, before);
    return true;
}

/* Memory that is filled before what follows: all of it behind `at`, unless `bytes` says how much.
 */
static bool take_fill(struct walk *walk, const json_t *json) {
    static const char *const keys[] = {"fill", "at", "bytes", "value", NULL};
    struct recording_step step = {.kind = RECORDING_FILL};
    struct recording_fill *fill = &step.fill;
    int64_t bytes = -1, value = 0;
    if (!walk_keys(walk, json, keys) || !recipe_take_address(walk, json, "fill", "at", &fill->to) ||
        !walk_member(walk, json, "bytes", 0, MOST_MEMORY, &bytes) ||
        !walk_member(walk, json, "value", 0, 255, &value))
        return false;
    fill->value = (uint32_t)value;
    fill->element = 1;
    fill->width = bytes < 0 ? 0 : (uint64_t)bytes;
    fill->height = 1;
    if (fill->to.variable == RECORDING_C && bytes < 0)
        return walk_fail(walk, "has no bytes: how much of c is filled");
    if (fill->to.variable != RECORDING_C && fill->to.variable >= RECIPE_MEMORIES)
        return walk_fail(walk, "fills neither the recipe's memory nor c");
    if (fill->to.variable != RECORDING_C) {
        const uint64_t size = walk->work->memories[fill->to.variable].bytes, at = fill->to.offset;
        if (bytes < 0)
            fill->width = size > at ? size - at : 0;
        if (walk->known && (at > size || fill->width > size - at))
            return walk_fail(walk, "fills more than there is");
    }
    fill->to.variable = recipe_variable(walk, fill->to.variable);
    if (fill->width > 0)
        recording_append_step(&walk->work->writer, &step);
    return true;
}

/* What the cubin says of a kernel that it has. */
static bool find_kernel(struct walk *walk, const char *function, struct cubin_kernel *kernel) {
    const struct file_bytes *cubin = &walk->recipe->cubin;
    const size_t before = walk_into(walk, "function", 0);
    if (!cubin_has_kernel(cubin->bytes, cubin->size, function))
        return walk_fail(walk, "is '%.80s', which the cubin has not", function);
    if (!cubin_read_kernel(cubin->bytes, cubin->size, function, kernel))
        return walk_fail(walk, "is '%.80s', and the cubin does not say what its parameters are",
                         function);
    walk_back(walk, before);
    return true;
}

static bool take_sizes(struct walk *walk, const json_t *json, const char *key, bool needed,
                       int64_t most, uint32_t sizes[3]) {
    int64_t values[3] = {1, 1, 1};
    size_t count;
    if (!walk_list(walk, json, key, needed ? 1 : 0, 3, 1, most, values, &count))
        return false;
    for (int i = 0; i < 3; i++)
        sizes[i] = count > 0 ? (uint32_t)values[i] : 0;
    return true;
}

/* Where it is other than 0. */
static void add_attribute(struct walk *walk, struct recording_launch *launch,
                          enum recording_attribute_id id, const uint32_t *words, size_t count) {
    struct recording_attribute attribute = {.id = id};
    if (words[0] == 0)
        return;
    memcpy(attribute.value, words, count * sizeof *words);
    recording_add_attribute(&walk->work->writer, &attribute);
    launch->attributes++;
}

/* Several steps may launch a function: what one of them needs is set for all. */
static void set_up_function(struct recipe_work *work, const char *name, int32_t carveout,
                            bool large_clusters, struct recording_launch *launch) {
    struct recording_writer *writer = &work->writer;
    uint32_t number = 0;
    while (number < work->function_count && strcmp(work->functions[number], name) != 0)
        number++;
    launch->function = number;
    if (number == work->function_count) {
        const struct recording_function function = {
            .carveout = -1, .name = recording_add_bytes(writer, name, strlen(name) + 1)};
        recording_add_function(writer, &function);
        work->functions[work->function_count++] = name;
    }
    if (writer->full)
        return;
    struct recording_function *function =
        recording_entry(writer, RECORDING_TABLE_functions, number);
    if (function->most_dynamic_shared < (int32_t)launch->shared_bytes)
        function->most_dynamic_shared = (int32_t)launch->shared_bytes;
    if (carveout >= 0)
        function->carveout = carveout;
    function->large_clusters |= large_clusters;
}

static bool take_attributes(struct walk *walk, const json_t *json, const char *function,
                            struct recording_launch *launch) {
    /* A word's place is the number that CUclusterSchedulingPolicy has for it. */
    static const char *const schedulings[] = {"default", "spread", "load_balancing", NULL};
    bool cooperative = false, serialized = false;
    uint32_t cluster[3], scheduling = 0;
    int64_t carveout = -1;
    if (!take_sizes(walk, json, "cluster", false, MOST_CLUSTER, cluster) ||
        !walk_flag(walk, json, "cooperative", &cooperative) ||
        !walk_flag(walk, json, "programmatic_serialization", &serialized) ||
        !walk_word(walk, json, "cluster_scheduling", schedulings, &scheduling) ||
        !walk_member(walk, json, "carveout", 0, 100, &carveout))
        return false;
    launch->first_attribute = recording_next(&walk->work->writer, RECORDING_TABLE_attributes);
    add_attribute(walk, launch, RECORDING_CLUSTER_DIMENSION, cluster, 3);
    add_attribute(walk, launch, RECORDING_CLUSTER_SCHEDULING_POLICY_PREFERENCE, &scheduling, 1);
    add_attribute(walk, launch, RECORDING_COOPERATIVE, &(uint32_t){cooperative}, 1);
    add_attribute(walk, launch, RECORDING_PROGRAMMATIC_STREAM_SERIALIZATION,
                  &(uint32_t){serialized}, 1);
    set_up_function(walk->work, function, (int32_t)carveout,
                    cluster[0] * cluster[1] * cluster[2] > PORTABLE_CLUSTER, launch);
    return true;
}

static bool take_launch(struct walk *walk, const json_t *json) {
    static const char *const keys[] = {"function",    "grid",
                                       "block",       "shared",
                                       "cluster",     "carveout",
                                       "cooperative", "programmatic_serialization",
                                       "parameters",  "cluster_scheduling",
                                       NULL};
    struct recording_step step = {.kind = RECORDING_LAUNCH};
    struct recording_launch *launch = &step.launch;
    struct cubin_kernel kernel;
    const char *function;
    int64_t shared = 0;
    if (!walk_keys(walk, json, keys) || !walk_text(walk, json, "function", true, &function) ||
        !take_sizes(walk, json, "grid", true, INT32_MAX, launch->grid) ||
        !take_sizes(walk, json, "block", true, 1024, launch->block) ||
        !walk_member(walk, json, "shared", 0, MOST_SHARED, &shared))
        return false;
    launch->shared_bytes = (uint32_t)shared;
    if (!take_attributes(walk, json, function, launch) || !find_kernel(walk, function, &kernel))
        return false;
    const size_t before = walk_into(walk, "parameters", 0);
    if (!recipe_take_parameters(walk, json_object_get(json, "parameters"), function, &kernel,
                                launch))
        return false;
    walk_back(walk, before);
    recording_append_step(&walk->work->writer, &step);
    return true;
}

static bool take_steps(struct walk *walk) {
    const json_t *list = json_object_get(walk->recipe->json, "steps");
    const size_t before = walk_into(walk, "steps", 0), count = json_array_size(list);
    bool launches = false;
    if (!json_is_array(list) || count == 0 || count > RECIPE_STEPS)
        return walk_fail(walk, "is to be an array of 1 to %d steps", RECIPE_STEPS);
    for (size_t i = 0; i < count; i++) {
        const json_t *json = json_array_get(list, i);
        const size_t inside = walk_into(walk, NULL, i);
        const bool fills = json_object_get(json, "fill") != NULL;
        if (!(fills ? take_fill(walk, json) : take_launch(walk, json)))
            return false;
        launches |= !fills;
        walk_back(walk, inside);
    }
    if (!launches)
        return walk_fail(walk, "launch nothing");
    walk_back(walk, before);
    return true;
}

void recipe_work_begin(const struct recipe *recipe, struct recipe_work *work) {
    memset(work, 0, sizeof *work);
    const struct recording_image cubin = {
        recording_add_bytes(&work->writer, recipe->cubin.bytes, recipe->cubin.size)};
    recording_add_image(&work->writer, &cubin);
    recording_begin_call(&work->writer, NULL, NULL, NULL, NULL);
}

bool recipe_make(struct walk *walk) {
    struct recipe_work *work = walk->work;
    recipe_work_begin(walk->recipe, work);
    work->whole = take_constants(walk) && take_can_do(walk, &work->served) &&
                  (!work->served || (take_memories(walk) && take_steps(walk)));
    return work->whole;
}

int recipe_work_out(const struct recipe *recipe, const struct gemm_problem *problem, int64_t sms,
                    struct recipe_work *work, char why[RECIPE_WHY]) {
    struct walk walk = {.recipe = recipe, .work = work, .known = true, .why = why};
    expression_add(&walk.scope, "m", problem->m);
    expression_add(&walk.scope, "n", problem->n);
    expression_add(&walk.scope, "k", problem->k);
    expression_add(&walk.scope, "sms", sms);
    return recipe_make(&walk) ? 0 : -1;
}

void recipe_work_free(struct recipe_work *work) {
    recording_writer_free(&work->writer);
    memset(work, 0, sizeof *work);
}
