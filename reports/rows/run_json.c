#include "reports/rows/run_json.h"

#include <stdio.h>
#include <string.h>

#include "reports/rows/plan_fields.h"

const struct plan_field plan_fields[] = {
#define X(name, sameness, value, unit, meaning) {#name, PLAN_##sameness},
    PLAN_FIELDS(X)
#undef X
        {NULL, PLAN_OWN}};

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

/* Goes on from the place that the path names. */
static bool differ_below(const json_t *here, const json_t *there, struct run_difference *found) {
    const size_t end = strlen(found->path), room = sizeof found->path - end;
    if (json_equal(here, there))
        return false;
    if (json_is_object(here) && json_is_object(there)) {
        const char *key;
        json_t *value, *all = json_copy((json_t *)here);
        bool differs = false;
        json_object_update_missing(all, (json_t *)there);
        json_object_foreach(all, key, value) {
            snprintf(found->path + end, room, "%s%s", end ? "." : "", key);
            differs = differ_below(json_object_get(here, key), json_object_get(there, key), found);
            if (differs)
                break;
        }
        json_decref(all);
        return differs;
    }
    if (json_is_array(here) && json_is_array(there))
        for (size_t i = 0; i < json_array_size(here) || i < json_array_size(there); i++) {
            snprintf(found->path + end, room, "[%zu]", i);
            if (differ_below(json_array_get(here, i), json_array_get(there, i), found))
                return true;
        }
    found->here = here;
    found->there = there;
    return true;
}

bool rundir_differ(const json_t *here, const json_t *there, struct run_difference *found) {
    *found->path = 0;
    return differ_below(here, there, found);
}
