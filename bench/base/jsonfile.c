#include "bench/base/jsonfile.h"

#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bench/base/error.h"
#include "bench/base/files.h"
#include "bench/base/need.h"
#include "bench/base/utf8.h"

json_t *jsonfile_read(const char *folder, const char *name, const char *what) {
    char path[PATH_MAX];
    json_error_t wrong;
    if (files_join(path, folder, name) < 0)
        return NULL;
    FILE *in = files_open(path, FILES_MOST_TEXT);
    if (!in) {
        error("%s: cannot read: %s; is %s %s?", path, files_explain(errno), folder, what);
        return NULL;
    }
    json_t *json = json_loadf(in, JSON_REJECT_DUPLICATES, &wrong);
    fclose(in);
    if (!json)
        error("%s:%d: %s", path, wrong.line, wrong.text);
    return json;
}

int jsonfile_write(const char *folder, const char *name, const json_t *json) {
    struct file file;
    if (file_open(&file, folder, name) < 0)
        return -1;
    if (json_dumpf(json, file.stream, JSON_INDENT(1)) < 0) {
        file_abandon(&file);
        return error("%s: cannot be put into JSON", file.path);
    }
    fputc('\n', file.stream);
    return file_commit(&file);
}

int jsonfile_print(FILE *out, json_t *json, int digits, int flags, const char *what) {
    const int status =
        json ? json_dumpf(json, out, flags | JSON_ENCODE_ANY | JSON_REAL_PRECISION(digits)) : -1;
    json_decref(json);
    return status < 0 || fputc('\n', out) == EOF ? error("%s cannot be written as JSON", what) : 0;
}

json_t *jsonfile_string(const char *text) {
    char *clean = need(3 * strlen(text) + 1, 1);
    const size_t used = utf8_clean(text, clean);
    json_t *json = json_stringn(clean, used);
    free(clean);
    return json;
}

json_t *jsonfile_number(double value) {
    return isfinite(value) ? json_real(value) : json_null();
}

const json_t *jsonfile_find(const json_t *json, const char *path) {
    char key[64];
    for (const char *dot; json && *path; path = *dot ? dot + 1 : dot) {
        dot = strchrnul(path, '.');
        snprintf(key, sizeof key, "%.*s", (int)(dot - path), path);
        json = json_object_get(json, key);
    }
    return json;
}

const char *jsonfile_text(const json_t *object, const char *member) {
    const char *text = json_string_value(json_object_get(object, member));
    return text ? text : "";
}

bool jsonfile_lists(const json_t *list, const char *text) {
    const json_t *element;
    size_t i;
    json_array_foreach(list, i, element) {
        const char *value = json_string_value(element);
        if (value && text && strcmp(value, text) == 0)
            return true;
    }
    return false;
}

json_t *jsonfile_entry(const json_t *list, const char *member, const char *text) {
    json_t *entry;
    size_t i;
    json_array_foreach(list, i, entry) {
        const char *value = json_string_value(json_object_get(entry, member));
        if (value && strcmp(value, text) == 0)
            return entry;
    }
    return NULL;
}
