#include "candidates/recipe/recipe.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bench/base/hash.h"
#include "candidates/recipe/cubin.h"
#include "candidates/recipe/recipe_walk.h"

#define VERSION 1
#define MOST_TILE 65536

bool recipe_is_name(const char *path) {
    const size_t length = strlen(path), suffix = strlen(RECIPE_SUFFIX);
    return length > suffix && strcmp(path + length - suffix, RECIPE_SUFFIX) == 0;
}

/* A file that the recipe names, from its own folder. */
static bool read_file(struct walk *walk, const char *name, char path[RECIPE_PATH],
                      struct file_bytes *file) {
    const char *recipe = walk->recipe->path, *slash = strrchr(recipe, '/');
    const int folder = slash ? (int)(slash - recipe) + 1 : 0;
    if (*name == '/')
        return walk_fail(walk, "is to be a path from the recipe's folder");
    if (snprintf(path, RECIPE_PATH, "%.*s%s", folder, recipe, name) >= RECIPE_PATH)
        return walk_fail(walk, "is too long a path");
    if (access(path, R_OK) < 0)
        return walk_fail(walk, "is '%.80s': %s", name, strerror(errno));
    return file_bytes_read(path, file) == 0 || walk_fail(walk, "cannot be read");
}

static bool read_cubin(struct walk *walk, struct recipe *recipe) {
    const char *name;
    if (!walk_text(walk, recipe->json, "cubin", true, &name))
        return false;
    const size_t before = walk_into(walk, "cubin", 0);
    if (!read_file(walk, name, recipe->cubin_path, &recipe->cubin))
        return false;
    recipe->sm = cubin_sm(recipe->cubin.bytes, recipe->cubin.size);
    if (recipe->sm == 0)
        return walk_fail(walk,
                         "is '%.80s', which is no cubin: machine code as nvcc -cubin makes "
                         "it",
                         name);
    walk_back(walk, before);
    return true;
}

static bool read_held(struct walk *walk, struct recipe *recipe) {
    json_t *memories = json_object_get(recipe->json, "memory"), *json;
    const size_t before = walk_into(walk, "memory", 0);
    const char *key, *name;
    char path[RECIPE_PATH];
    int number = 0;
    json_object_foreach(memories, key, json) {
        const size_t inside = walk_into(walk, key, 0);
        if (number == RECIPE_MEMORIES || !json_is_object(json))
            break; /* recipe_make says so */
        if (!walk_text(walk, json, "file", false, &name))
            return false;
        if (name && !read_file(walk, name, path, &recipe->held[number]))
            return false;
        number++;
        walk_back(walk, inside);
    }
    walk_back(walk, before);
    return true;
}

static bool read_claims(struct walk *walk, struct recipe *recipe) {
    static const char *const keys[] = {"recipe", "cubin",     "element", "accumulate", "tile",
                                       "can_do", "constants", "memory",  "steps",      NULL};
    static const char *const precisions[] = {"f16", "f32", NULL};
    int64_t version = 0, tile[3] = {0, 0, 0};
    uint32_t precision = UINT32_MAX, element = ELEMENT_F16;
    size_t count;
    if (!walk_keys(walk, recipe->json, keys) ||
        !walk_member(walk, recipe->json, "recipe", INT64_MIN, INT64_MAX, &version) ||
        !walk_word(walk, recipe->json, "element", element_words, &element) ||
        !walk_word(walk, recipe->json, "accumulate", precisions, &precision) ||
        !walk_list(walk, recipe->json, "tile", 0, 3, 0, MOST_TILE, tile, &count))
        return false;
    if (version != VERSION)
        return walk_fail(walk, "is of version %lld; this gemmgate reads \"recipe\": %d",
                         (long long)version, VERSION);
    if (precision == UINT32_MAX)
        return walk_fail(walk, "has no accumulate, f16 or f32: what it keeps partial sums in");
    if (element == ELEMENT_BF16 && precision == 0)
        return walk_fail(walk, "has element bf16 and accumulate f16: sums of bf16 are claimed to "
                               "be f32");
    if (count != 0 && count != 3)
        return walk_fail(walk, "has a tile of %zu numbers; three are wanted, for m, n and k",
                         count);
    recipe->element = (enum element)element;
    recipe->accumulate = precision == 0 ? GEMM_F16 : GEMM_F32;
    recipe->tile = (struct gemm_tile){(int32_t)tile[0], (int32_t)tile[1], (int32_t)tile[2]};
    return true;
}

static bool parse(struct recipe *recipe, char why[RECIPE_WHY]) {
    struct file_bytes text = {0};
    json_error_t wrong;
    if (access(recipe->path, R_OK) < 0 || file_bytes_read(recipe->path, &text) < 0) {
        snprintf(why, RECIPE_WHY, "%.300s: cannot be read", recipe->path);
        return false;
    }
    recipe->json = json_loadb((const char *)text.bytes, text.size, JSON_REJECT_DUPLICATES, &wrong);
    hash_bytes(text.bytes, text.size, recipe->hash);
    file_bytes_free(&text);
    if (!recipe->json)
        snprintf(why, RECIPE_WHY, "%.300s:%d: %s", recipe->path, wrong.line, wrong.text);
    return recipe->json != NULL;
}

static void add_hash(struct recipe *recipe, const struct file_bytes *file) {
    char other[33], result[33];
    hash_bytes(file->bytes, file->size, other);
    const char *const both[] = {recipe->hash, other, NULL};
    hash_strings(both, result);
    memcpy(recipe->hash, result, sizeof result);
}

int recipe_read(const char *path, struct recipe *recipe, char why[RECIPE_WHY]) {
    struct recipe_work work = {0};
    struct walk walk = {.recipe = recipe, .work = &work, .why = why};
    memset(recipe, 0, sizeof *recipe);
    snprintf(recipe->path, sizeof recipe->path, "%s", path);
    expression_add(&walk.scope, "m", 0);
    expression_add(&walk.scope, "n", 0);
    expression_add(&walk.scope, "k", 0);
    expression_add(&walk.scope, "sms", 0);
    const bool good = parse(recipe, why) && read_claims(&walk, recipe) &&
                      read_cubin(&walk, recipe) && read_held(&walk, recipe) && recipe_make(&walk);
    recipe_work_free(&work);
    add_hash(recipe, &recipe->cubin);
    for (int i = 0; i < RECIPE_MEMORIES; i++)
        add_hash(recipe, &recipe->held[i]);
    return good ? 0 : -1;
}

void recipe_free(struct recipe *recipe) {
    json_decref(recipe->json);
    file_bytes_free(&recipe->cubin);
    for (int i = 0; i < RECIPE_MEMORIES; i++)
        file_bytes_free(&recipe->held[i]);
    memset(recipe, 0, sizeof *recipe);
}
