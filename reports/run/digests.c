#include "reports/run/digests.h"

#include <dirent.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bench/base/error.h"
#include "bench/base/files.h"
#include "bench/base/hash.h"
#include "reports/rows/rows.h"
#include "reports/rows/run_json.h"

/* A line of the file; nothing of a file that cannot be read, which is found missing then. */
static void add(FILE *out, const char *run, const char *name) {
    char path[PATH_MAX], hex[33];
    if (files_join(path, run, name) == 0 && hash_file_quietly(path, hex) == 0)
        fprintf(out, "%s  %s\n", hex, name);
}

static int is_shown(const struct dirent *entry) {
    return *entry->d_name != '.';
}

static void add_unit(FILE *out, const char *run, const char *id) {
    char folder[PATH_MAX], name[PATH_MAX];
    struct dirent **list;
    if (snprintf(folder, sizeof folder, "%s/units/%s", run, id) >= PATH_MAX)
        return;
    const int count = scandir(folder, &list, is_shown, alphasort);
    for (int i = 0; i < count; i++) {
        if (snprintf(name, sizeof name, "units/%s/%s", id, list[i]->d_name) < PATH_MAX)
            add(out, run, name);
        free(list[i]);
    }
    if (count >= 0)
        free(list);
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
    if (rundir_write_json(run, "manifest.json", manifest) < 0)
        return -1;
    if (!json_is_true(json_object_get(manifest, "complete")))
        return 0;
    if (file_open(&file, run, DIGESTS_FILE) < 0)
        return -1;
    add_all(file.stream, run, plan);
    return file_commit(&file);
}

static FILE *open_digests(const char *run) {
    char path[PATH_MAX];
    return files_join(path, run, DIGESTS_FILE) < 0 ? NULL : files_open(path, FILES_MOST_TEXT);
}

static void say_lacking(const char *run, char *why, size_t size) {
    snprintf(why, size,
             "%.300s has no digests of its files, so nothing shows whether they were changed", run);
}

bool digests_lack(const char *run, char *why, size_t size) {
    FILE *in = open_digests(run);
    if (in)
        fclose(in);
    else
        say_lacking(run, why, size);
    return !in;
}

/* The name in a line, which begins with 32 digits and two blanks. */
static const char *name_in(const char *line) {
    return strlen(line) > 34 ? line + 34 : "a file";
}

/* The first difference of the lines that are and those that should be. */
static bool compare(FILE *is, FILE *should, const char *run, char *why, size_t size) {
    char here[PATH_MAX + 40], there[PATH_MAX + 40];
    for (;;) {
        const bool more = fgets(here, sizeof here, is), wanted = fgets(there, sizeof there, should);
        if (!more && !wanted)
            return true;
        if (more && wanted && strcmp(here, there) == 0)
            continue;
        const char *name = name_in(wanted ? there : here);
        snprintf(why, size, "%s/%.*s is not as it was when the run was complete", run,
                 (int)strcspn(name, "\n"), name);
        return false;
    }
}

bool digests_hold(const char *run, const json_t *plan, char *why, size_t size) {
    char *text = NULL;
    size_t length = 0;
    FILE *should = open_digests(run);
    if (!should) {
        say_lacking(run, why, size);
        return false;
    }
    FILE *is = open_memstream(&text, &length);
    bool hold = is != NULL;
    if (is) {
        add_all(is, run, plan);
        fclose(is);
        is = fmemopen(text, length, "r");
    }
    hold = is && compare(is, should, run, why, size);
    if (is)
        fclose(is);
    else
        snprintf(why, size, "there is no memory for the digests of %s", run);
    free(text);
    fclose(should);
    return hold;
}
