#include <stdio.h>
#include <string.h>

#include "bench/base/error.h"
#include "bench/base/jsonfile.h"
#include "bench/base/text.h"
#include "bench/base/words.h"
#include "reports/import/import.h"
#include "reports/import/import_file.h"
#include "reports/run/rundir.h"

static const struct form release = {
    .name = "cuda-l2",
    .sql = query_import_cuda_l2,
    .columns = {"torch.matmul", "cuBLAS-nn", "cuBLAS-tn", "cuBLAS-max", "cuBLASLt-heuristic-nn",
                "cuBLASLt-heuristic-tn", "cuBLASLt-heuristic-max", "cuBLASLt-auto-tuning-nn",
                "cuBLASLt-auto-tuning-tn", "cuBLASLt-auto-tuning-max"},
    .lacking = "; the header must name it"};

/* One of the two files. */
struct source {
    const char *path, *mode;
    char set[RUNDIR_NAME]; /* that its name says; "": it says none */
};

/* The release's scripts have timed these sets by CUDA events, up to its commit 9d193de. Since its
 * commit dbe0177 they read the host's clock, from before a call until the device is idle. */
static const char *const by_events[] = {"a100_F16F16F16F16", "a100_F32F16F16F32",
                                        "3090_F32F16F16F32", NULL};

/* The release calls its files cuda_l2_SET_speedup_MODE.csv. Other names say nothing. */
static int read_name(struct source *source) {
    static const char before[] = "cuda_l2_", behind[] = "_speedup_";
    const char *slash = strrchr(source->path, '/');
    const char *set = strstr(slash ? slash + 1 : source->path, before);
    const char *mode = set ? strstr(set += strlen(before), behind) : NULL;
    if (!mode)
        return 0;
    snprintf(source->set, sizeof source->set, "%.*s", (int)(mode - set), set);
    mode += strlen(behind);
    for (int i = 0; i < MODE_COUNT; i++)
        if (text_begins(mode, words_modes[i]) && strcmp(words_modes[i], source->mode) != 0)
            return error("--%s %s: by its name this file is for --%s", source->mode, source->path,
                         words_modes[i]);
    return 0;
}

/* Both files must be of one set. A file that does not say its set is taken for one of the other's.
 * *lens: by which the set was timed. */
static int read_names(struct source *sources, size_t count, const char **lens) {
    const char *set = "";
    for (size_t i = 0; i < count; i++) {
        if (read_name(&sources[i]) < 0)
            return -1;
        if (*set && *sources[i].set && strcmp(set, sources[i].set) != 0)
            return error("%s is of the set %s, and %s of %s: import one set at a time",
                         sources[i - 1].path, set, sources[i].path, sources[i].set);
        set = *sources[i].set ? sources[i].set : set;
    }
    *lens = words_lenses[words_find(by_events, set) < 0 ? LENS_WAIT : LENS_CALL];
    return 0;
}

/* Adds the file's rows, and its shapes to those of the other. */
static int read_source(const struct source *source, const char *lens, json_t *shapes,
                       struct rows *rows) {
    sqlite3 *db = query_open();
    query_next(query_ask(db, "CREATE TABLE asked AS SELECT ?1 AS mode, ?2 AS lens", source->mode,
                         lens, NULL));
    const int status =
        form_load(db, &release, source->path) < 0 || form_refuse(db, source->path) < 0 ? -1 : 0;
    if (status == 0) {
        query_rows(db, rows);
        for (sqlite3_stmt *row = query_ask(db, "SELECT shape FROM file", NULL); query_next(row);)
            if (!jsonfile_lists(shapes, query_text(row, "shape")))
                json_array_append_new(shapes, json_string(query_text(row, "shape")));
    }
    sqlite3_close(db);
    return status;
}

static int write_run(const char *run, const struct source *sources, size_t count, json_t *shapes,
                     const struct rows *rows) {
    json_t *modes = json_array(), *list = json_array();
    int status = 0;
    for (size_t i = 0; i < count; i++) {
        json_array_append_new(modes, json_string(sources[i].mode));
        status |= json_array_append_new(list, import_source(sources[i].path, sources[i].mode));
    }
    json_t *plan = json_pack("{s:i, s:s, s:o, s:O, s:[]}", "format", RUNDIR_FORMAT, "imported",
                             release.name, "modes", modes, "shapes", shapes, "units");
    json_t *manifest = json_pack("{s:s, s:o, s:b}", "imported", "published results of CUDA-L2",
                                 "sources", list, "complete", 1);
    return import_write(run, plan, status == 0 ? manifest : NULL, rows);
}

int import_cuda_l2(const char *offline_csv, const char *server_csv, const char *run) {
    struct source sources[2] = {{0}};
    struct rows rows = {0};
    json_t *shapes = json_array();
    const char *lens = "";
    size_t count = 0;
    if (offline_csv)
        sources[count++] = (struct source){.path = offline_csv, .mode = "offline"};
    if (server_csv)
        sources[count++] = (struct source){.path = server_csv, .mode = "server"};
    int status = count > 0 ? read_names(sources, count, &lens)
                           : error("nothing to import: give a file for offline, server or both");
    for (size_t i = 0; i < count && status == 0; i++)
        status = read_source(&sources[i], lens, shapes, &rows);
    if (status == 0)
        status = write_run(run, sources, count, shapes, &rows);
    json_decref(shapes);
    rows_free(&rows);
    return status < 0 ? EXIT_TROUBLE : EXIT_PASS;
}
