#include "reports/run/versions.h"

#include <stdbool.h>

#include "reports/rows/run_json.h"

static void add(json_t *versions, const json_t *version) {
    json_t *there;
    size_t i;
    bool known = !json_is_string(version);
    json_array_foreach(versions, i, there) known |= json_equal(version, there) != 0;
    if (!known)
        json_array_append(versions, (json_t *)version);
}

void versions_add(json_t *versions, const json_t *manifest) {
    const json_t *list = json_object_get(manifest, "measured_by");
    json_t *version;
    size_t i;
    if (!json_is_array(list))
        add(versions, rundir_find(manifest, "gemmgate.git_commit"));
    json_array_foreach(list, i, version) add(versions, version);
}
