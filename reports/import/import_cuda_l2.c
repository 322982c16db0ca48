#include "bench/base/error.h"
#include "bench/base/jsonfile.h"
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
};

/* By which lens the files' set was timed (import_names.sql); kept. NULL after error(). */
static const char *find_lens(const char *offline_csv, const char *server_csv) {
    sqlite3 *db = query_open();
    sqlite3_stmt *names = query_ask(db, query_import_names, offline_csv ? offline_csv : "",
                                    server_csv ? server_csv : "", NULL);
    query_next(names);
    const char *fault = query_text(names, "fault"), *lens = kept_text(query_text(names, "lens"));
    if (*fault) {
        error("%s", fault);
        lens = NULL;
    }
    sqlite3_finalize(names);
    sqlite3_close(db);
    return lens;
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
    size_t count = 0;
    if (offline_csv)
        sources[count++] = (struct source){.path = offline_csv, .mode = "offline"};
    if (server_csv)
        sources[count++] = (struct source){.path = server_csv, .mode = "server"};
    if (count == 0)
        return error("nothing to import: give a file for offline, server or both"), EXIT_TROUBLE;
    const char *lens = find_lens(offline_csv, server_csv);
    json_t *shapes = json_array();
    int status = lens ? 0 : -1;
    for (size_t i = 0; i < count && status == 0; i++)
        status = read_source(&sources[i], lens, shapes, &rows);
    if (status == 0)
        status = write_run(run, sources, count, shapes, &rows);
    json_decref(shapes);
    rows_free(&rows);
    return status < 0 ? EXIT_TROUBLE : EXIT_PASS;
}
