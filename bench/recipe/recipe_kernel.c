#include "bench/recipe/recipe_kernel.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/replay/player.h"
#include "bench/replay/recording_writer.h"
#include "candidates/recipe/recipe.h"

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

/* The variable that a memory is, by its number; operands are what they are. */
static uint32_t variable_of(const struct compiling *c, uint32_t number) {
    return number < RECIPE_MEMORIES ? c->memories[number] : number;
}

/* Several steps may launch a function: what one of them needs is set for all. */
static uint32_t take_function(struct compiling *c, int number) {
    const struct recipe_step *steps = c->work->steps, *step = &steps[number];
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
    if ((int32_t)step->launch.shared_bytes > function->most_dynamic_shared)
        function->most_dynamic_shared = (int32_t)step->launch.shared_bytes;
    if (step->carveout >= 0)
        function->carveout = step->carveout;
    function->large_clusters |= step->large_clusters;
    return c->functions[number];
}

static void add_pointer(struct compiling *c, const struct recipe_step *step,
                        struct recording_pointer pointer) {
    pointer.variable = variable_of(c, pointer.variable);
    if (pointer.map != RECORDING_NONE)
        pointer.map = recording_add_map(&c->writer, &step->maps[pointer.map]);
    recording_add_pointer(&c->writer, &pointer);
}

static struct recording_launch make_launch(struct compiling *c, int number) {
    const struct recipe_step *step = &c->work->steps[number];
    struct recording_launch launch = step->launch;
    uint32_t end = 0;
    launch.function = take_function(c, number);
    launch.first_attribute = recording_next(&c->writer, RECORDING_TABLE_attributes);
    launch.first_parameter = recording_next(&c->writer, RECORDING_TABLE_parameters);
    launch.first_pointer = recording_next(&c->writer, RECORDING_TABLE_pointers);
    for (uint32_t i = 0; i < launch.attributes; i++)
        recording_add_attribute(&c->writer, &step->attributes[i]);
    for (uint32_t i = 0; i < launch.parameters; i++) {
        recording_add_parameter(&c->writer, &step->parameters[i]);
        end = step->parameters[i].offset + step->parameters[i].size;
    }
    for (uint32_t i = 0; i < launch.pointers; i++)
        add_pointer(c, step, step->pointers[i]);
    launch.bytes = recording_add_bytes(&c->writer, step->bytes, end);
    return launch;
}

static void add_step(struct compiling *c, int number) {
    const struct recipe_step *step = &c->work->steps[number];
    struct recording_step made = {.kind = step->function ? RECORDING_LAUNCH : RECORDING_FILL};
    if (step->function) {
        made.launch = make_launch(c, number);
    } else {
        made.fill = step->fill;
        made.fill.to.variable = variable_of(c, step->fill.to.variable);
    }
    if (step->function || step->fill.width > 0)
        recording_add_step(&c->writer, &made);
}

/* The recipe as a loose recording of one call, at whatever addresses; of work without steps, the
 * cubin and a call that does nothing. NULL where it does not fit. */
static unsigned char *compile(const struct recipe *recipe, const struct recipe_work *work,
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

struct recipe_kernel {
    struct recipe recipe;
    struct recipe_work work;
    struct player *player; /* of the recording that it compiles to */
    struct kernel_ops ops;
    char name[64];
};

/* Words for the last status that was not 0: explain has no state. */
static char words[RECIPE_WHY];

static const char *explain(int status) {
    (void)status;
    return words;
}

static int launch(void *state, const struct gemm_args *args) {
    struct recipe_kernel *kernel = state;
    const struct player_operands operands = {
        (uint64_t)(uintptr_t)args->a, (uint64_t)(uintptr_t)args->b_row,
        (uint64_t)(uintptr_t)args->b_col, (uint64_t)(uintptr_t)args->c};
    const int status = player_play_at(kernel->player, 0, &operands, args->stream);
    if (status != 0)
        snprintf(words, sizeof words, "%s: %s", player_doing(kernel->player),
                 player_explain(status));
    return status;
}

/* Has its work, as far as that is known, loaded by a player in the place of the one before. 0, or
 * 1 with why. */
static int load_work(struct recipe_kernel *kernel, char why[RECORDING_WHY]) {
    size_t size;
    unsigned char *bytes = compile(&kernel->recipe, &kernel->work, &size);
    player_close(kernel->player);
    kernel->player = NULL;
    snprintf(why, RECORDING_WHY,
             "it and its files have more than %d MiB, or there is no memory for "
             "them",
             (int)(RECORDING_MOST_BYTES >> 20));
    const int status = bytes ? player_open(bytes, size, &kernel->player, why) : 1;
    free(bytes);
    return status != 0;
}

/* The file's name without its suffix, in the letters that a kernel's name has. */
static void name_kernel(struct recipe_kernel *kernel) {
    const char *slash = strrchr(kernel->recipe.path, '/');
    const char *name = slash ? slash + 1 : kernel->recipe.path;
    const size_t length = strlen(name) - strlen(RECIPE_SUFFIX);
    for (size_t i = 0; i < length && i + 1 < sizeof kernel->name; i++) {
        const int letter = tolower((unsigned char)name[i]);
        kernel->name[i] = isalnum(letter) || letter == '.' ? (char)letter : '-';
    }
}

/* What the driver does not want is told before any problem is known. */
static int load_recipe(struct recipe_kernel *kernel, const char *path, char why[RECIPE_WHY]) {
    char fault[RECORDING_WHY];
    if (recipe_read(path, &kernel->recipe, why) < 0)
        return -1;
    if (load_work(kernel, fault) == 0)
        return 0;
    snprintf(why, RECIPE_WHY, "its cubin cannot be loaded: %s", fault);
    return -1;
}

int recipe_kernel_load(const char *path, struct recipe_kernel **result, char *why, size_t size) {
    struct recipe_kernel *kernel = calloc(1, sizeof *kernel);
    char fault[RECIPE_WHY] = "no memory for a recipe";
    *result = NULL;
    if (!kernel || load_recipe(kernel, path, fault) < 0) {
        snprintf(why, size, "%s", fault);
        recipe_kernel_free(kernel);
        return -1;
    }
    name_kernel(kernel);
    kernel->ops = (struct kernel_ops){.abi = GEMMGATE_ABI,
                                      .name = kernel->name,
                                      .device = GEMM_CUDA,
                                      .accumulate = kernel->recipe.accumulate,
                                      .tile = kernel->recipe.tile,
                                      .launch = launch,
                                      .explain = explain,
                                      .elements = 1 << kernel->recipe.element};
    *result = kernel;
    return 0;
}

void recipe_kernel_free(struct recipe_kernel *kernel) {
    if (!kernel)
        return;
    player_close(kernel->player);
    recipe_work_free(&kernel->work);
    recipe_free(&kernel->recipe);
    free(kernel);
}

const struct kernel_ops *recipe_kernel_ops(const struct recipe_kernel *kernel) {
    return &kernel->ops;
}

bool recipe_kernel_serves(struct recipe_kernel *kernel, const struct gemm_problem *problem) {
    const int status =
        recipe_work_out(&kernel->recipe, problem, player_multiprocessors(), &kernel->work, words);
    return status < 0 || kernel->work.served;
}

static int check_memory(const struct recipe_kernel *kernel, size_t most) {
    uint64_t bytes = 0;
    for (int i = 0; i < kernel->work.memory_count; i++)
        bytes += kernel->work.memories[i].bytes;
    if (bytes <= most)
        return 0;
    snprintf(words, sizeof words,
             "it wants a workspace of %" PRIu64 " bytes, and %zu are given; --workspace gives more",
             bytes, most);
    return 1;
}

int recipe_kernel_set_up(struct recipe_kernel *kernel, size_t workspace_bytes) {
    if (kernel->work.step_count == 0)
        return 1; /* it could not be worked out, as words say */
    if (check_memory(kernel, workspace_bytes) != 0 || load_work(kernel, words) != 0)
        return 1;
    const int status = player_restore(kernel->player);
    if (status != 0)
        snprintf(words, sizeof words, "its memory cannot be filled: %s", player_explain(status));
    return status;
}
