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
#include "bench/replay/recording_writer.h"
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
#define RECIPE_BYTES 8192 /* of a launch's parameters, each at a multiple of 64 */

/* What a recipe is for one problem: a loose recording of one call, at whatever addresses. */
struct recipe_work {
    bool served; /* can_do; the call has steps only where it is served */
    bool whole;  /* all has been worked out */
    struct recording_writer writer;
    struct recipe_memory {
        uint64_t bytes;
        uint32_t variable; /* that it is; of no bytes: RECORDING_NONE */
    } memories[RECIPE_MEMORIES];
    int memory_count;
    const char *functions[RECIPE_STEPS]; /* by their number in the recording */
    uint32_t function_count;
};

/* Work with the recipe's cubin and a call that does nothing. */
void recipe_work_begin(const struct recipe *recipe, struct recipe_work *work);

/* Works the recipe out for a problem on a GPU with so many multiprocessors. Of all work
 * recipe_work_free frees; it is good as long as the recipe is. */
int recipe_work_out(const struct recipe *recipe, const struct gemm_problem *problem, int64_t sms,
                    struct recipe_work *work, char why[RECIPE_WHY]);
void recipe_work_free(struct recipe_work *work);

#endif
