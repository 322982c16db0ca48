#include "reports/run/rundir.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/base/error.h"
#include "bench/base/files.h"
#include "bench/base/hash.h"
#include "bench/base/need.h"

#define DIGESTS_FILE "xxh128sums"

/* A line of the file; nothing of a file that cannot be read, which is found missing then. */
static void add(FILE *out, const char *run, const char *name) {
    char path[PATH_MAX], hex[33];
    if (files_join(path, run, name) == 0 && hash_file_quietly(path, hex) == 0)
        fprintf(out, "%s  %s\n", hex, name);
}

static void add_unit(FILE *out, const char *run, const char *id) {
    char folder[PATH_MAX], name[PATH_MAX];
    if (snprintf(folder, sizeof folder, "%s/units/%s", run, id) >= PATH_MAX)
        return;
    char **names = files_names(folder);
    for (size_t i = 0; names && names[i]; i++)
        if (*names[i] != '.' &&
            snprintf(name, sizeof name, "units/%s/%s", id, names[i]) < PATH_MAX)
            add(out, run, name);
    files_free_names(names);
}

static void add_all(FILE *out, const char *run, const json_t *plan) {
    json_t *id;
    size_t i;
    add(out, run, "plan.json");
    add(out, run, "manifest.json");
    for (int kind = 0; kind < ROWS_KINDS; kind++)
        add(out, run, rows_files[kind].name);
    json_array_foreach(json_object_get(plan, "units"), i, id) if (json_is_string(id))
        add_unit(out, run, json_string_value(id));
}

int digests_write_manifest(const char *run, const json_t *plan, const json_t *manifest) {
    struct file file;
    if (jsonfile_write(run, "manifest.json", manifest) < 0)
        return -1;
    if (!json_is_true(json_object_get(manifest, "complete")))
        return 0;
    if (file_open(&file, run, DIGESTS_FILE) < 0)
        return -1;
    add_all(file.stream, run, plan);
    return file_commit(&file);
}

bool digests_lack(const char *run, char *why, size_t size) {
    char path[PATH_MAX];
    FILE *in = files_join(path, run, DIGESTS_FILE) < 0 ? NULL : files_open(path, FILES_MOST_TEXT);
    if (in) {
        fclose(in);
        return false;
    }
    snprintf(why, size,
             "%.300s has no digests of its files, so nothing shows whether they were changed", run);
    return true;
}

/* Says of which file the texts have other lines. Returns whether they are the same. */
static bool compare(const char *is, const char *should, const char *run, char *why, size_t size) {
    size_t at = 0, line = 0;
    for (; is[at] && is[at] == should[at]; at++)
        line = is[at] == '\n' ? at + 1 : line;
    if (is[at] == should[at])
        return true;
    /* A line begins with 32 digits and two blanks. */
    const char *wanted = should[line] ? should + line : is + line;
    const char *name = strlen(wanted) > 34 ? wanted + 34 : "a file";
    snprintf(why, size, "%s/%.*s is not as it was when the run was complete", run,
             (int)strcspn(name, "\n"), name);
    return false;
}

bool digests_hold(const char *run, const json_t *plan, char *why, size_t size) {
    char path[PATH_MAX], *is;
    struct file_bytes should;
    size_t length;
    if (digests_lack(run, why, size) || files_join(path, run, DIGESTS_FILE) < 0)
        return false;
    if (file_bytes_read(path, &should) < 0) {
        snprintf(why, size, "%.300s cannot be read", path);
        return false;
    }
    FILE *out = need_stream(&is, &length);
    add_all(out, run, plan);
    fclose(out);
    const bool hold = compare(is, (const char *)should.bytes, run, why, size);
    free(is);
    file_bytes_free(&should);
    return hold;
}
