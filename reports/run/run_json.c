#include "reports/run/run_json.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "bench/base/error.h"
#include "bench/base/files.h"

int rundir_write_json(const char *run, const char *name, const json_t *json) {
    struct file file;
    if (file_open(&file, run, name) < 0)
        return -1;
    if (json_dumpf(json, file.stream, JSON_INDENT(1)) < 0) {
        file_abandon(&file);
        return error("%s: cannot be put into JSON", file.path);
    }
    fputc('\n', file.stream);
    return file_commit(&file);
}

json_t *rundir_read_json(const char *run, const char *name) {
    char path[PATH_MAX];
    json_error_t wrong;
    if (files_join(path, run, name) < 0)
        return NULL;
    FILE *in = fopen(path, "r");
    if (!in) {
        error("%s: cannot read: %s; is %s a run directory?", path, strerror(errno), run);
        return NULL;
    }
    json_t *json = json_loadf(in, JSON_REJECT_DUPLICATES, &wrong);
    fclose(in);
    if (!json)
        error("%s:%d: %s", path, wrong.line, wrong.text);
    return json;
}

json_t *rundir_entry(const json_t *list, const char *member, const char *text) {
    json_t *entry;
    size_t i;
    json_array_foreach(list, i, entry) {
        const char *value = json_string_value(json_object_get(entry, member));
        if (value && strcmp(value, text) == 0)
            return entry;
    }
    return NULL;
}

const json_t *rundir_find(const json_t *json, const char *path) {
    char key[64];
    for (const char *dot; json && *path; path = *dot ? dot + 1 : dot) {
        dot = strchrnul(path, '.');
        snprintf(key, sizeof key, "%.*s", (int)(dot - path), path);
        json = json_object_get(json, key);
    }
    return json;
}
