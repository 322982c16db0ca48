/* A recipe: how a kernel of a cubin is launched, as data. NAME.recipe.json lies beside the cubin;
 * candidates/recipes/README.md describes the format. No code of the kernel's author runs on the
 * host: the harness reads the recipe and launches the kernel itself.
 *
 * Functions return 0, or -1 with why: a line that names the file, the place in it (a line, or a
 * path like steps[0].grid[1]) and what is wrong. */
#ifndef CANDIDATES_RECIPE_RECIPE_H
#define CANDIDATES_RECIPE_RECIPE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <jansson.h>

#include "bench/base/element.h"
#include "bench/base/files.h"
#include "bench/replay/recording.h"
#include "candidates/gemmgate.h"

#define RECIPE_SUFFIX ".recipe.json"
#define RECIPE_WHY 1024
#define RECIPE_PATH 1024
#define RECIPE_MEMORIES 8

struct recipe {
    char path[RECIPE_PATH];
    json_t *json;
    struct file_bytes cubin;
    char cubin_path[RECIPE_PATH];
    int sm; /* the GPU that the cubin is code for, 90 for sm_90 */
    enum element element;
    int32_t accumulate; /* bits of enum gemm_accumulate */
    struct gemm_tile tile;
    struct file_bytes held[RECIPE_MEMORIES]; /* what a memory holds at first, by its number */
    char hash[33];                           /* XXH128 of all these files, hexadecimal */
};

/* Whether it is the name of a recipe. */
bool recipe_is_name(const char *path);

/* Reads the recipe and the files that it names, and looks all over that can be looked over without
 * a GPU: its keys, its expressions, and its parameters beside those of the cubin's functions.
 * Either way recipe_free frees. */
int recipe_read(const char *path, struct recipe *recipe, char why[RECIPE_WHY]);
void recipe_free(struct recipe *recipe);

#define RECIPE_STEPS 64
#define RECIPE_PARAMETERS 128
#define RECIPE_POINTERS 128
#define RECIPE_MAPS 8
#define RECIPE_ATTRIBUTES 4
#define RECIPE_BYTES 8192 /* of a launch's parameters, each at a multiple of 64 */

/* A launch, or where function is NULL, the filling of memory with a byte. It is told as a step of a
 * loose recording is. In the place of the number of a variable there is that of the recipe's memory,
 * in that of a map its number in the step. */
struct recipe_step {
    const char *function; /* of the recipe's JSON */
    struct recording_launch launch;
    int carveout;        /* per cent of shared memory that is preferred; -1: none */
    bool large_clusters; /* larger than every GPU with clusters allows */
    struct recording_attribute attributes[RECIPE_ATTRIBUTES];
    struct recording_parameter parameters[RECIPE_PARAMETERS];
    struct recording_pointer pointers[RECIPE_POINTERS];
    struct recording_map maps[RECIPE_MAPS];
    uint32_t map_count;
    unsigned char bytes[RECIPE_BYTES];

    struct recording_fill fill;
};

/* What a recipe is for one problem. */
struct recipe_work {
    bool served; /* can_do; the rest is there only where it is served */
    struct {
        uint64_t bytes;
        uint8_t fill; /* what it holds at first; recipe->held lies over that */
    } memories[RECIPE_MEMORIES];
    int memory_count;
    struct recipe_step *steps;
    int step_count;
};

/* Works the recipe out for a problem on a GPU with so many multiprocessors. Either way
 * recipe_work_free frees; the work is good as long as the recipe is. */
int recipe_work_out(const struct recipe *recipe, const struct gemm_problem *problem, int64_t sms,
                    struct recipe_work *work, char why[RECIPE_WHY]);
void recipe_work_free(struct recipe_work *work);

#endif
