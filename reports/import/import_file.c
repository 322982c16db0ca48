#include "reports/import/import_file.h"

#include <string.h>

#include "bench/base/hash.h"
#include "bench/base/jsonfile.h"
#include "bench/base/text.h"
#include "reports/run/rundir.h"

json_t *import_source(const char *file, const char *mode) {
    const char *slash = strrchr(file, '/');
    char hex[33];
    return hash_file(file, hex) < 0
               ? NULL
               : json_pack("{s:s*, s:o, s:s}", "mode", mode, "name",
                           jsonfile_string(slash ? slash + 1 : file), "xxh128", hex);
}

int import_write(const char *run, json_t *plan, json_t *manifest, const struct rows *rows) {
    char part[PATH_MAX];
    const int claim = plan && manifest ? rundir_begin(run, plan, part) : -1;
    int status = -1;
    if (claim >= 0)
        status = rundir_end(run, claim, part,
                            rows_csv_write(part, ROWS_CSV_RUN, rows) == 0 &&
                                digests_write_manifest(part, plan, manifest) == 0);
    json_decref(plan);
    json_decref(manifest);
    if (status == 0)
        text_print_line(stdout, "%s", run);
    return status;
}
