#include "bench/plan/suite_trace.h"

#include <errno.h>
#include <ftw.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "bench/base/error.h"
#include "bench/base/files.h"

/* M, N and K of a definition; 0: a variable. */
struct definition {
    char *name;
    int64_t axes[3];
};

/* nftw hands its function no context. */
static struct {
    struct definition *definitions;
    size_t definition_count;
    struct suite_item *items;
    size_t item_count;
} trace;

static const char *const axis_names[3] = {"M", "N", "K"};

static bool ends_with(const char *path, const char *suffix) {
    const size_t length = strlen(path), size = strlen(suffix);
    return length > size && strcmp(path + length - size, suffix) == 0;
}

/* A size; 0 after error(). */
static int64_t take_size(const json_t *json, const char *where, const char *axis) {
    const json_int_t size = json_integer_value(json);
    if (json_is_integer(json) && size > 0 && size <= SHAPE_MAX_SIZE)
        return size;
    error("%s: axis %s is no whole number from 1 to %d", where, axis, SHAPE_MAX_SIZE);
    return 0;
}

/* Grows a list by one when it is full, which it is at powers of two. */
static void *grow(void *list, size_t count, size_t size) {
    if (count & (count - 1))
        return list;
    void *grown = realloc(list, (count ? 2 * count : 1) * size);
    if (!grown)
        error("no memory for %zu workloads", count + 1);
    return grown;
}

static int add_definition(const json_t *json, const char *path) {
    const json_t *axes = json_object_get(json, "axes");
    const char *name = json_string_value(json_object_get(json, "name"));
    const char *type = json_string_value(json_object_get(json, "op_type"));
    struct definition definition = {0};
    if (!type || strcmp(type, "gemm") != 0)
        return 0;
    if (!name)
        return error("%s: the definition has no name", path);
    for (int i = 0; i < 3; i++) {
        const json_t *axis = json_object_get(axes, axis_names[i]);
        const char *kind = json_string_value(json_object_get(axis, "type"));
        if (kind && strcmp(kind, "var") == 0)
            continue;
        if (!kind || strcmp(kind, "const") != 0)
            return error("%s: axis %s is neither const nor var", path, axis_names[i]);
        definition.axes[i] = take_size(json_object_get(axis, "value"), path, axis_names[i]);
        if (definition.axes[i] == 0)
            return -1;
    }
    struct definition *grown =
        grow(trace.definitions, trace.definition_count, sizeof *trace.definitions);
    if (!grown)
        return -1;
    trace.definitions = grown;
    definition.name = strdup(name);
    if (!definition.name)
        return error("no memory for %s", path);
    trace.definitions[trace.definition_count++] = definition;
    return 0;
}

static int read_definition(const char *path, const struct stat *is, int type, struct FTW *where) {
    json_error_t wrong;
    (void)is, (void)where;
    if (type != FTW_F || !ends_with(path, ".json"))
        return 0;
    json_t *json = json_load_file(path, 0, &wrong);
    if (!json)
        return error("%s:%d: %s", path, wrong.line, wrong.text);
    const int status = add_definition(json, path);
    json_decref(json);
    return status;
}

static const struct definition *find_definition(const char *name) {
    for (size_t i = 0; name && i < trace.definition_count; i++)
        if (strcmp(trace.definitions[i].name, name) == 0)
            return &trace.definitions[i];
    return NULL;
}

static int add_workload(const json_t *json, const char *where) {
    const struct definition *definition =
        find_definition(json_string_value(json_object_get(json, "definition")));
    const json_t *axes = json_object_get(json_object_get(json, "workload"), "axes");
    int64_t sizes[3];
    if (!definition)
        return 0; /* of another kind of work */
    for (int i = 0; i < 3; i++) {
        sizes[i] = definition->axes[i];
        if (sizes[i] == 0)
            sizes[i] = take_size(json_object_get(axes, axis_names[i]), where, axis_names[i]);
        if (sizes[i] == 0)
            return -1;
    }
    struct suite_item *grown = grow(trace.items, trace.item_count, sizeof *trace.items);
    if (!grown)
        return -1;
    trace.items = grown;
    trace.items[trace.item_count] =
        (struct suite_item){{sizes[0], sizes[1], sizes[2]}, trace.item_count, 1};
    trace.item_count++;
    return 0;
}

static int read_workloads(const char *path, const struct stat *is, int type, struct FTW *place) {
    char *line = NULL, where[PATH_MAX + 32];
    size_t room = 0, number = 0;
    int status = 0;
    (void)is, (void)place;
    if (type != FTW_F || !ends_with(path, ".jsonl"))
        return 0;
    FILE *file = fopen(path, "r");
    if (!file)
        return error("%s: %s", path, strerror(errno));
    while (status == 0 && getline(&line, &room, file) > 0) {
        json_error_t wrong;
        number++;
        if (line[strspn(line, " \t\r\n")] == 0)
            continue;
        snprintf(where, sizeof where, "%s:%zu", path, number);
        json_t *json = json_loads(line, 0, &wrong);
        status = json ? add_workload(json, where) : error("%s: %s", where, wrong.text);
        json_decref(json);
    }
    free(line);
    fclose(file);
    return status;
}

static int walk(const char *folder, const char *name, __nftw_func_t read) {
    char path[PATH_MAX];
    if (files_join(path, folder, name) < 0)
        return -1;
    errno = 0;
    if (nftw(path, read, 16, FTW_PHYS) == 0)
        return 0;
    return errno == ENOENT ? error("%s: there is none; a FlashInfer-Trace dataset has the folders "
                                   "definitions and workloads",
                                   path)
                           : -1;
}

int suite_trace_load(const char *folder, struct suite *suite) {
    const char *slash = strrchr(folder, '/');
    int status = walk(folder, "definitions", read_definition);
    if (status == 0)
        status = walk(folder, "workloads", read_workloads);
    if (status == 0 && trace.item_count == 0)
        status = error("%s: no workload of a definition with op_type gemm", folder);
    if (status == 0)
        status = suite_list_add_up(suite, slash && slash[1] ? slash + 1 : folder, trace.items,
                                   trace.item_count);
    for (size_t i = 0; i < trace.definition_count; i++)
        free(trace.definitions[i].name);
    free(trace.definitions);
    free(trace.items);
    memset(&trace, 0, sizeof trace);
    return status;
}
