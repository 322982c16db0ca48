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

/* Where an address of a launch begins. */
enum recipe_base { RECIPE_NULL, RECIPE_A, RECIPE_B_ROW, RECIPE_B_COL, RECIPE_C, RECIPE_MEMORY };

struct recipe_address {
    enum recipe_base base;
    int memory;     /* of RECIPE_MEMORY: its number */
    int64_t offset; /* bytes */
};

/* Eight bytes of a launch's parameters that are an address. */
struct recipe_pointer {
    uint32_t at;
    struct recipe_address address;
};

/* 128 bytes of them that are a CUtensorMap, tiled. What has a name in a recipe is here the number
 * that cuda.h has for it. */
#define RECIPE_RANK 5
#define RECIPE_MAP_BYTES 128
struct recipe_map {
    uint32_t at;
    struct recipe_address address;
    int type, interleave, swizzle, l2_promotion, fill;
    uint32_t rank;
    uint64_t dims[RECIPE_RANK];    /* elements, the contiguous one first */
    uint64_t strides[RECIPE_RANK]; /* bytes, of dims 1 and on: one fewer */
    uint32_t box[RECIPE_RANK], steps[RECIPE_RANK];
};

#define RECIPE_STEPS 64
#define RECIPE_PARAMETERS 128
#define RECIPE_POINTERS 128
#define RECIPE_MAPS 8
#define RECIPE_BYTES 8192 /* of a launch's parameters, each at a multiple of 64 */

/* A launch, or where function is NULL, the filling of memory with a byte. */
struct recipe_step {
    const char *function; /* of the recipe's JSON */
    uint32_t grid[3], block[3];
    uint32_t cluster[3]; /* 0: no cluster */
    uint32_t shared_bytes;
    int carveout;   /* per cent of shared memory that is preferred; -1: none */
    int scheduling; /* of clusters, as CUclusterSchedulingPolicy; 0: the driver's */
    bool cooperative, programmatic_serialization;
    int parameter_count, pointer_count, map_count;
    struct {
        uint32_t at, size;
    } parameters[RECIPE_PARAMETERS];
    struct recipe_pointer pointers[RECIPE_POINTERS];
    struct recipe_map maps[RECIPE_MAPS];
    unsigned char bytes[RECIPE_BYTES];

    struct recipe_address to;
    uint64_t fill_bytes;
    uint8_t value;
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
