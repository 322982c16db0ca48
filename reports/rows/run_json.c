#include "reports/rows/run_json.h"

#include <stdio.h>
#include <string.h>

json_t *rundir_read_json(const char *run, const char *name) {
    return jsonfile_read(run, name, "a run directory");
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
