#include "bench/recipe/recipe_kernel.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/recipe/recipe_device.h"

struct recipe_kernel {
    struct recipe recipe;
    struct recipe_module *module;
    struct recipe_work work;
    struct recipe_ready *ready[RECIPE_STEPS];
    uint64_t memories[RECIPE_MEMORIES];          /* their addresses */
    uint64_t encoded[RECIPE_STEPS][RECIPE_MAPS]; /* what its maps are of; 0: of nothing */
    struct kernel_ops ops;
    char name[64];
};

/* Words for the last status that was not 0: explain has no state. */
static char words[RECIPE_WHY];

static const char *explain(int status) {
    (void)status;
    return words;
}

static int say(const char *what, int status) {
    if (status != 0)
        snprintf(words, sizeof words, "%s: %s", what, recipe_device_words(status));
    return status;
}

static uint64_t address_of(const struct recipe_kernel *kernel, struct recipe_address from,
                           const struct gemm_args *args) {
    const void *const operands[] = {[RECIPE_NULL] = NULL,
                                    [RECIPE_A] = args->a,
                                    [RECIPE_B_ROW] = args->b_row,
                                    [RECIPE_B_COL] = args->b_col,
                                    [RECIPE_C] = args->c};
    const uint64_t begins = from.base == RECIPE_MEMORY ? kernel->memories[from.memory]
                                                       : (uint64_t)(uintptr_t)operands[from.base];
    return begins + (uint64_t)from.offset;
}

/* A map is made again only where it is to be of another address. */
static int encode(struct recipe_kernel *kernel, int number, const struct gemm_args *args) {
    struct recipe_step *step = &kernel->work.steps[number];
    for (int i = 0; i < step->map_count; i++) {
        const struct recipe_map *map = &step->maps[i];
        const uint64_t address = address_of(kernel, map->address, args);
        if (address == kernel->encoded[number][i])
            continue;
        const int status = recipe_device_encode(map, address, step->bytes + map->at);
        kernel->encoded[number][i] = status == 0 ? address : 0;
        if (status != 0)
            return say("a tensor map cannot be made", status);
    }
    return 0;
}

static int launch_step(struct recipe_kernel *kernel, int number, const struct gemm_args *args) {
    struct recipe_step *step = &kernel->work.steps[number];
    if (!step->function)
        return say("its memory cannot be filled",
                   recipe_device_fill(address_of(kernel, step->to, args), step->value,
                                      step->fill_bytes, args->stream));
    for (int i = 0; i < step->pointer_count; i++) {
        const uint64_t address = address_of(kernel, step->pointers[i].address, args);
        memcpy(step->bytes + step->pointers[i].at, &address, sizeof address);
    }
    const int status = encode(kernel, number, args);
    return status != 0
               ? status
               : say(step->function, recipe_device_launch(kernel->ready[number], args->stream));
}

static int launch(void *state, const struct gemm_args *args) {
    struct recipe_kernel *kernel = state;
    int status = 0;
    for (int i = 0; i < kernel->work.step_count && status == 0; i++)
        status = launch_step(kernel, i, args);
    return status;
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

int recipe_kernel_load(const char *path, struct recipe_kernel **result, char *why, size_t size) {
    struct recipe_kernel *kernel = calloc(1, sizeof *kernel);
    const char *fault = "no memory for a recipe";
    char text[RECIPE_WHY];
    *result = NULL;
    if (kernel && recipe_read(path, &kernel->recipe, text) < 0)
        fault = text;
    else if (kernel &&
             recipe_device_open(kernel->recipe.cubin.bytes, &kernel->module, &fault) == 0) {
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
    snprintf(why, size, "%s", fault);
    if (kernel)
        recipe_free(&kernel->recipe);
    free(kernel);
    return -1;
}

void recipe_kernel_free(struct recipe_kernel *kernel) {
    if (!kernel)
        return;
    for (int i = 0; i < RECIPE_STEPS; i++)
        recipe_device_drop(kernel->ready[i]);
    for (int i = 0; i < RECIPE_MEMORIES; i++)
        recipe_device_release(kernel->memories[i]);
    recipe_device_close(kernel->module);
    recipe_work_free(&kernel->work);
    recipe_free(&kernel->recipe);
    free(kernel);
}

const struct kernel_ops *recipe_kernel_ops(const struct recipe_kernel *kernel) {
    return &kernel->ops;
}

bool recipe_kernel_serves(struct recipe_kernel *kernel, const struct gemm_problem *problem) {
    const int status =
        recipe_work_out(&kernel->recipe, problem, recipe_device_sms(), &kernel->work, words);
    return status < 0 || kernel->work.served;
}

static int take_memory(struct recipe_kernel *kernel, int number) {
    const uint64_t bytes = kernel->work.memories[number].bytes;
    const struct file_bytes *held = &kernel->recipe.held[number];
    int status = bytes > 0 ? recipe_device_take(bytes, kernel->work.memories[number].fill,
                                                &kernel->memories[number])
                           : 0;
    if (status == 0 && held->size > 0)
        status = recipe_device_put(kernel->memories[number], held->bytes, held->size);
    return say("its memory is not to be had", status);
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
    int status = check_memory(kernel, workspace_bytes);
    for (int i = 0; i < kernel->work.memory_count && status == 0; i++)
        status = take_memory(kernel, i);
    for (int i = 0; i < kernel->work.step_count && status == 0; i++)
        if (kernel->work.steps[i].function)
            status = say(
                kernel->work.steps[i].function,
                recipe_device_prepare(kernel->module, &kernel->work.steps[i], &kernel->ready[i]));
    return status;
}
