#include "bench/recipe/compile.h"

#include <stdlib.h>
#include <string.h>

#include "bench/replay/recording_writer.h"

#define PORTABLE_CLUSTER 8 /* blocks that every GPU with clusters allows */

struct compiling {
    struct recording_writer writer;
    const struct recipe *recipe;
    const struct recipe_work *work;
    uint32_t memories[RECIPE_MEMORIES]; /* their variables */
    uint32_t functions[RECIPE_STEPS];   /* by step */
};

/* Memory of no bytes is at no address. */
static void add_memories(struct compiling *c) {
    for (int i = 0; i < c->work->memory_count; i++) {
        const struct file_bytes *held = &c->recipe->held[i];
        const uint64_t bytes = c->work->memories[i].bytes;
        const struct recording_variable memory = {
            .image = RECORDING_NONE,
            .fill = c->work->memories[i].fill,
            .held = recording_add_bytes(&c->writer, held->bytes, held->size),
            .rest = bytes - held->size};
        c->memories[i] = bytes > 0 ? recording_add_variable(&c->writer, &memory) : RECORDING_NONE;
    }
}

static struct recording_place place_of(const struct compiling *c, struct recipe_address from) {
    static const uint32_t operands[] = {[RECIPE_NULL] = RECORDING_NONE,
                                        [RECIPE_A] = RECORDING_A,
                                        [RECIPE_B_ROW] = RECORDING_B_ROW,
                                        [RECIPE_B_COL] = RECORDING_B_COL,
                                        [RECIPE_C] = RECORDING_C};
    return (struct recording_place){
        .variable = from.base == RECIPE_MEMORY ? c->memories[from.memory] : operands[from.base],
        .offset = (uint64_t)from.offset};
}

/* Several steps may launch a function: what one of them needs is set for all. */
static uint32_t take_function(struct compiling *c, int number) {
    const struct recipe_step *steps = c->work->steps, *step = &steps[number];
    const uint32_t blocks = step->cluster[0] * step->cluster[1] * step->cluster[2];
    int first = 0;
    while (!steps[first].function || strcmp(steps[first].function, step->function) != 0)
        first++;
    if (first == number) {
        const struct recording_function function = {
            .carveout = -1,
            .name = recording_add_bytes(&c->writer, step->function, strlen(step->function) + 1)};
        c->functions[number] = recording_add_function(&c->writer, &function);
    }
    c->functions[number] = c->functions[first];
    if (c->writer.full)
        return 0;
    struct recording_function *function =
        recording_entry(&c->writer, RECORDING_TABLE_functions, c->functions[number]);
    if ((int32_t)step->shared_bytes > function->most_dynamic_shared)
        function->most_dynamic_shared = (int32_t)step->shared_bytes;
    if (step->carveout >= 0)
        function->carveout = step->carveout;
    function->large_clusters |= blocks > PORTABLE_CLUSTER;
    return c->functions[number];
}

static void add_attribute(struct compiling *c, enum recording_attribute_id id,
                          const uint32_t *words, size_t count) {
    struct recording_attribute attribute = {.id = id};
    memcpy(attribute.value, words, count * sizeof *words);
    recording_add_attribute(&c->writer, &attribute);
}

static void add_attributes(struct compiling *c, const struct recipe_step *step) {
    const uint32_t scheduling = (uint32_t)step->scheduling, set = 1;
    if (step->cluster[0] > 0)
        add_attribute(c, RECORDING_CLUSTER_DIMENSION, step->cluster, 3);
    if (step->scheduling > 0)
        add_attribute(c, RECORDING_CLUSTER_SCHEDULING, &scheduling, 1);
    if (step->cooperative)
        add_attribute(c, RECORDING_COOPERATIVE, &set, 1);
    if (step->programmatic_serialization)
        add_attribute(c, RECORDING_PROGRAMMATIC_SERIALIZATION, &set, 1);
}

static void add_pointer(struct compiling *c, uint32_t at, struct recipe_address address,
                        uint32_t map) {
    const struct recording_place place = place_of(c, address);
    recording_add_pointer(&c->writer, &(struct recording_pointer){.offset = at,
                                                                  .variable = place.variable,
                                                                  .addend = place.offset,
                                                                  .map = map});
}

static uint32_t add_map(struct compiling *c, const struct recipe_map *from) {
    struct recording_map map = {.rank = from->rank,
                                .type = (uint32_t)from->type,
                                .interleave = (uint32_t)from->interleave,
                                .swizzle = (uint32_t)from->swizzle,
                                .l2_promotion = (uint32_t)from->l2_promotion,
                                .fill = (uint32_t)from->fill};
    memcpy(map.dims, from->dims, sizeof map.dims);
    memcpy(map.strides, from->strides, sizeof map.strides);
    for (uint32_t i = 0; i < from->rank; i++) {
        map.box[i] = from->box[i];
        map.steps[i] = from->steps[i];
    }
    return recording_add_map(&c->writer, &map);
}

/* Returns how many bytes they take. */
static uint32_t add_parameters(struct compiling *c, const struct recipe_step *step) {
    uint32_t end = 0;
    for (int i = 0; i < step->parameter_count; i++) {
        const struct recording_parameter parameter = {step->parameters[i].at,
                                                      step->parameters[i].size};
        recording_add_parameter(&c->writer, &parameter);
        end = parameter.offset + parameter.size;
    }
    for (int i = 0; i < step->pointer_count; i++)
        add_pointer(c, step->pointers[i].at, step->pointers[i].address, RECORDING_NONE);
    for (int i = 0; i < step->map_count; i++)
        add_pointer(c, step->maps[i].at, step->maps[i].address, add_map(c, &step->maps[i]));
    return end;
}

static struct recording_launch make_launch(struct compiling *c, int number) {
    const struct recipe_step *step = &c->work->steps[number];
    struct recording_launch launch = {
        .function = take_function(c, number),
        .shared_bytes = step->shared_bytes,
        .first_attribute = recording_next(&c->writer, RECORDING_TABLE_attributes),
        .first_parameter = recording_next(&c->writer, RECORDING_TABLE_parameters),
        .parameters = (uint32_t)step->parameter_count,
        .first_pointer = recording_next(&c->writer, RECORDING_TABLE_pointers),
        .pointers = (uint32_t)(step->pointer_count + step->map_count)};
    memcpy(launch.grid, step->grid, sizeof launch.grid);
    memcpy(launch.block, step->block, sizeof launch.block);
    add_attributes(c, step);
    launch.attributes =
        recording_next(&c->writer, RECORDING_TABLE_attributes) - launch.first_attribute;
    launch.bytes = recording_add_bytes(&c->writer, step->bytes, add_parameters(c, step));
    return launch;
}

static void add_step(struct compiling *c, int number) {
    const struct recipe_step *step = &c->work->steps[number];
    struct recording_step made = {.kind = step->function ? RECORDING_LAUNCH : RECORDING_FILL};
    if (step->function)
        made.launch = make_launch(c, number);
    else if (step->fill_bytes > 0)
        made.fill = (struct recording_fill){.to = place_of(c, step->to),
                                            .value = step->value,
                                            .element = 1,
                                            .width = step->fill_bytes,
                                            .height = 1};
    else
        return;
    recording_add_step(&c->writer, &made);
}

unsigned char *recipe_compile(const struct recipe *recipe, const struct recipe_work *work,
                              size_t *size) {
    struct compiling c = {.recipe = recipe, .work = work};
    const struct recording_image image = {
        recording_add_bytes(&c.writer, recipe->cubin.bytes, recipe->cubin.size)};
    recording_add_image(&c.writer, &image);
    add_memories(&c);
    for (int i = 0; i < work->step_count; i++)
        add_step(&c, i);
    const struct recording_call call = {.steps = recording_next(&c.writer, RECORDING_TABLE_steps)};
    recording_add_call(&c.writer, &call);
    unsigned char *bytes = malloc(recording_size(&c.writer));
    *size = bytes ? recording_write(&c.writer, bytes, recording_size(&c.writer)) : 0;
    recording_writer_free(&c.writer);
    if (*size > 0)
        return bytes;
    free(bytes);
    return NULL;
}
