#include "bench/recipe/recipe_kernel.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/replay/player.h"
#include "candidates/recipe/recipe.h"

struct recipe_kernel {
    struct recipe recipe;
    struct recipe_work work;
    struct player *player; /* of the work, as far as that is known */
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

/* Has its work loaded by a player in the place of the one before. 0, or 1 with why. */
static int load_work(struct recipe_kernel *kernel, char why[RECORDING_WHY]) {
    const uint64_t room = recording_size(&kernel->work.writer);
    unsigned char *bytes = malloc(room);
    const uint64_t size = bytes ? recording_write(&kernel->work.writer, bytes, room) : 0;
    player_close(kernel->player);
    kernel->player = NULL;
    snprintf(why, RECORDING_WHY,
             "it and its files have more than %d MiB, or there is no memory for "
             "them",
             (int)(RECORDING_MOST_BYTES >> 20));
    const int status = size > 0 ? player_open(bytes, size, &kernel->player, why) : 1;
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
    recipe_work_begin(&kernel->recipe, &kernel->work);
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
    recipe_work_free(&kernel->work);
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
    if (!kernel->work.whole)
        return 1; /* it could not be worked out, as words say */
    if (check_memory(kernel, workspace_bytes) != 0 || load_work(kernel, words) != 0)
        return 1;
    const int status = player_restore(kernel->player);
    if (status != 0)
        snprintf(words, sizeof words, "its memory cannot be filled: %s", player_explain(status));
    return status;
}
