#include "bench/replay/export.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/base/error.h"
#include "bench/base/files.h"
#include "bench/replay/export_call.h"
#include "candidates/recipe/cubin.h"
#include "candidates/recipe/recipe.h"

enum { SUFFIXES = 3, RECIPE = 0, CUBIN, MEMORY };
static const char *const suffixes[SUFFIXES] = {RECIPE_SUFFIX, ".cubin", ".memory"};

struct exporting {
    const struct export_request *request;
    struct recording recording;
    struct export_state state;
    json_t *json;
    unsigned char *memory; /* what the kernel's memory held at first, to the last byte that is not
                            * 0; NULL: nothing */
    uint64_t memory_bytes;
    char names[SUFFIXES][SHAPE_TEXT + 16];
    char paths[SUFFIXES][PATH_MAX];
};

/* 1 with the reason in the state. */
static int refused(const struct exporting *e) {
    return e->state.lost ? error("no memory for a recipe") : 1;
}

/* The steps of all calls, which must be the same: a recipe's calls are. */
static int make_steps(struct exporting *e, json_t **steps) {
    struct export_state *state = &e->state;
    *steps = export_call(state, 0);
    bool good = *steps != NULL;
    for (uint32_t i = 1; i < e->recording.head.counts[RECORDING_TABLE_calls] && good; i++) {
        json_t *others = export_call(state, i);
        good = others && (json_equal(*steps, others) ||
                          export_refuse(state,
                                        "call %u of the recorded ones does not do what the first "
                                        "does, and the calls of a recipe are all the same",
                                        i + 1));
        json_decref(others);
    }
    if (good && state->image == RECORDING_NONE)
        good = export_refuse(state, "its calls launch nothing");
    return good ? 0 : refused(e);
}

/* The recipe's cubin is loaded anew: its variables are as they are then. */
static int check_variables(struct exporting *e) {
    const struct recording *r = &e->recording;
    const struct recording_span image = r->images[e->state.image].bytes;
    for (uint32_t i = 0; i < r->head.counts[RECORDING_TABLE_variables]; i++) {
        const struct recording_variable *variable = &r->variables[i];
        const char *name = recording_name(r, variable->name);
        if (variable->image == e->state.image &&
            !cubin_variable_begins_as(r->blob + image.at, image.size, name,
                                      r->blob + variable->held.at, variable->held.size)) {
            export_refuse(&e->state,
                          "the variable %.80s of its module held another value before the calls "
                          "than where the module is loaded, and a recipe sets no variables",
                          name);
            return 1;
        }
    }
    return 0;
}

/* A recipe's memory is bytes, and lies elsewhere in each process. */
static bool has_address(struct exporting *e, const struct recording_memory *memory) {
    const struct recording *r = &e->recording;
    for (uint64_t i = 0; i + 8 <= memory->held.size; i += 8) {
        uint64_t word;
        memcpy(&word, r->blob + memory->held.at + i, sizeof word);
        if (export_is_address(&e->state, word))
            return !export_refuse(&e->state,
                                  "its memory held 0x%" PRIx64 " at byte %" PRIu64 ", which may be "
                                  "an address, and a recipe's memory has none",
                                  word, memory->address + i - r->head.arena);
    }
    return false;
}

static int take_memory(struct exporting *e) {
    const struct recording *r = &e->recording;
    for (uint32_t i = 0; i < r->head.counts[RECORDING_TABLE_memories]; i++) {
        const struct recording_memory *memory = &r->memories[i];
        const uint64_t end = memory->address - r->head.arena + memory->held.size;
        if (has_address(e, memory))
            return 1;
        if (end > e->memory_bytes)
            e->memory_bytes = end;
    }
    if (e->memory_bytes > RECORDING_MOST_BYTES) {
        export_refuse(&e->state,
                      "its memory held something at byte %" PRIu64 ", and a recipe's file has at "
                      "most %" PRIu64 " bytes",
                      e->memory_bytes - 1, RECORDING_MOST_BYTES);
        return 1;
    }
    if (e->memory_bytes == 0)
        return 0;
    e->memory = calloc(1, e->memory_bytes);
    if (!e->memory)
        return error("no memory for %" PRIu64 " bytes of a recipe", e->memory_bytes);
    for (uint32_t i = 0; i < r->head.counts[RECORDING_TABLE_memories]; i++)
        memcpy(e->memory + (r->memories[i].address - r->head.arena),
               r->blob + r->memories[i].held.at, r->memories[i].held.size);
    return 0;
}

/* The least tile by which a size is padded to what it was padded to: kernels may be padded by a
 * multiple of it, which comes to the same. 0 where it was not padded. */
static int64_t tile_of(int64_t size, int64_t padded) {
    enum { MOST = 65536 }; /* a recipe's */
    if (padded <= size)
        return 0;
    for (int64_t tile = padded - size + 1; tile <= MOST; tile++)
        if (padded % tile == 0)
            return tile;
    return padded;
}

static void put_claims(struct exporting *e) {
    const struct export_request *request = e->request;
    const struct shape s = request->shape, p = request->padded;
    const int64_t tile[3] = {tile_of(s.m, p.m), tile_of(s.n, p.n), tile_of(s.k, p.k)};
    char can_do[120];
    snprintf(can_do, sizeof can_do, "m == %" PRId64 " && n == %" PRId64 " && k == %" PRId64, p.m,
             p.n, p.k);
    export_put(&e->state, e->json, "recipe", json_integer(1));
    export_put(&e->state, e->json, "cubin", json_string(e->names[CUBIN]));
    export_put(&e->state, e->json, "element", json_string(element_words[request->element]));
    export_put(&e->state, e->json, "accumulate",
               json_string(request->accumulate == GEMM_F16 ? "f16" : "f32"));
    export_put(&e->state, e->json, "can_do", json_string(can_do));
    if (tile[0] + tile[1] + tile[2] == 0)
        return;
    json_t *list = json_array();
    for (int i = 0; i < 3; i++)
        export_append(&e->state, list, json_integer((json_int_t)tile[i]));
    export_put(&e->state, e->json, "tile", list);
}

static int make_json(struct exporting *e) {
    json_t *steps;
    e->json = json_object();
    put_claims(e);
    if (e->recording.head.persisting > 0) {
        export_refuse(&e->state, "it has a part of the L2 set aside, and a recipe does not");
        return 1;
    }
    int status = make_steps(e, &steps);
    if (status == 0)
        status = check_variables(e);
    if (status == 0 && e->state.has_memory)
        status = take_memory(e);
    if (status == 0 && e->state.has_memory) {
        json_t *memory = json_object(), *all = json_object();
        export_put(&e->state, memory, "bytes",
                   json_integer((json_int_t)e->recording.head.arena_bytes));
        if (e->memory)
            export_put(&e->state, memory, "file", json_string(e->names[MEMORY]));
        export_put(&e->state, all, EXPORT_MEMORY, memory);
        export_put(&e->state, e->json, "memory", all);
    }
    export_put(&e->state, e->json, "steps", steps ? steps : json_array());
    return status == 0 && e->state.lost ? refused(e) : status;
}

static int write_file(const struct exporting *e, int which, const void *bytes, size_t size) {
    struct file file;
    if (file_open(&file, e->request->folder, e->names[which]) < 0)
        return -1;
    fwrite(bytes, 1, size, file.stream);
    return file_commit(&file);
}

static int write_files(const struct exporting *e) {
    const struct recording *r = &e->recording;
    const struct recording_span image = r->images[e->state.image].bytes;
    char *text = json_dumps(e->json, JSON_INDENT(1));
    int status = text ? files_make_folder(e->request->folder) : error("no memory for a recipe");
    if (status == 0)
        status = write_file(e, CUBIN, r->blob + image.at, image.size);
    if (status == 0 && e->memory)
        status = write_file(e, MEMORY, e->memory, e->memory_bytes);
    if (status == 0)
        status = write_file(e, RECIPE, text, strlen(text));
    free(text);
    return status;
}

static void remove_files(const struct exporting *e) {
    for (int i = 0; i < SUFFIXES; i++)
        files_remove_tree(e->paths[i]);
}

/* Whether the recipe's reader takes it, for its shape. 0, or 1 with why. */
static int try_recipe(struct exporting *e) {
    const struct shape p = e->request->padded;
    const struct gemm_problem problem = {.m = p.m, .n = p.n, .k = p.k};
    static struct recipe recipe;
    struct recipe_work work = {0};
    char why[RECIPE_WHY] = "";
    const bool good = recipe_read(e->paths[RECIPE], &recipe, why) == 0 &&
                      recipe_work_out(&recipe, &problem, 1, &work, why) == 0;
    recipe_work_free(&work);
    recipe_free(&recipe);
    const size_t folder = strlen(e->request->folder);
    if (!good)
        export_refuse(&e->state, "the recipe is none: %.180s",
                      strncmp(why, e->request->folder, folder) == 0 ? why + folder + 1 : why);
    return good ? 0 : 1;
}

static int name_files(struct exporting *e) {
    char shape[SHAPE_TEXT];
    shape_format(e->request->shape, shape);
    for (int i = 0; i < SUFFIXES; i++) {
        snprintf(e->names[i], sizeof e->names[i], "%s%s", shape, suffixes[i]);
        if (files_join(e->paths[i], e->request->folder, e->names[i]) < 0)
            return -1;
    }
    return 0;
}

int export_recipe(const void *bytes, size_t size, const struct export_request *request,
                  char why[RECORDING_WHY]) {
    struct exporting e = {.request = request,
                          .state = {.padded = request->padded, .image = RECORDING_NONE}};
    const char *fault;
    int status = name_files(&e);
    if (status == 0)
        remove_files(&e);
    if (status == 0)
        status = recording_read(bytes, size, &e.recording, &fault);
    if (status == 0 && recording_is_loose(&e.recording)) {
        fault = "it has no addresses";
        status = 1;
        recording_free(&e.recording);
    }
    if (status != 0) {
        if (status > 0)
            snprintf(why, RECORDING_WHY, "the recording: %s", fault);
        return status;
    }
    e.state.recording = &e.recording;
    status = make_json(&e);
    if (status == 0)
        status = write_files(&e);
    if (status == 0)
        status = try_recipe(&e);
    if (status != 0)
        remove_files(&e);
    memcpy(why, e.state.why, RECORDING_WHY);
    free(e.memory);
    json_decref(e.json);
    recording_free(&e.recording);
    return status;
}
