/* Times that other tools have measured. A tool is a form of file and a query, which makes the table
 * `readings`, a row a time:
 *
 *     place             where it stands in the file, for messages
 *     m, n, k           of the product whose C is row-major
 *     provider, layout  whose time it is; of B: nn, tn, or "" where it is not told
 *     lens, cache       the lens whose interval is like the tool's; cold, warm, or "": not known
 *     seconds, note
 *     left_out          NULL; or where it stands and the tool's own word, where it calls the row failed
 *     unverified        1: the tool has not verified it
 *     gpu               its name; NULL: the file does not say */
#include <stdio.h>
#include <string.h>

#include "bench/base/error.h"
#include "bench/base/jsonfile.h"
#include "bench/base/words.h"
#include "reports/import/import.h"
#include "reports/import/import_file.h"
#include "reports/run/rundir.h"

static const struct form tools[] = {
    {.name = "cutlass_profiler",
     .unit = "milliseconds",
     .many = true,
     .sql = query_import_cutlass,
     .columns = {"Provider", "OperationKind", "Operation", "Disposition", "Status", "A", "B", "C",
                 "alpha", "beta", "batch_count", "accum", "Flops", "Runtime", "GFLOPs", NULL, "D"},
     .lacking = ": wanted is what cutlass_profiler --output=FILE writes of gemm, and not its log"},
    {.name = "nvbench", .unit = "seconds", .sql = query_import_nvbench},
    {.name = "triton",
     .unit = "milliseconds",
     .sql = query_import_triton,
     .columns = {"ms", "provider", NULL, "dtype", "layout"},
     .lacking =
         ": wanted are m, n, k, provider and ms, a time in a row, in milliseconds as do_bench "
         "returns it; reports/README.md has a command that makes such a file of a table by "
         "perf_report"}};
enum { TOOLS = sizeof tools / sizeof *tools };

static const struct form *find_tool(const char *name) {
    const char *names[TOOLS + 1] = {NULL};
    char known[96];
    for (size_t i = 0; i < TOOLS; i++) {
        names[i] = tools[i].name;
        if (strcmp(names[i], name) == 0)
            return &tools[i];
    }
    error("import: no tool is called '%s'; known are %s, and `import cuda-l2`", name,
          words_list(names, known, sizeof known));
    return NULL;
}

/* The manifest, with warnings of rows that were left out or not verified. NULL after error(). */
static json_t *make_manifest(sqlite3 *db, const struct form *form, const char *file) {
    sqlite3_stmt *told = query_ask(
        db,
        "SELECT count(left_out) AS left_out, sum(unverified) AS unverified, count(*) AS rows, "
        "max(gpu) AS gpu, (SELECT left_out FROM readings WHERE left_out <> '' LIMIT 1) AS first "
        "FROM readings",
        NULL);
    query_next(told);
    const size_t left_out = query_count(told, "left_out"),
                 unverified = query_count(told, "unverified");
    const bool any = query_count(told, "rows") > left_out;
    char text[192];
    snprintf(text, sizeof text, "times by %s%s%.127s", form->name,
             *query_text(told, "gpu") ? " on " : "", query_text(told, "gpu"));
    if (left_out)
        warning(
            "%s: left out, since %s calls them failed or skipped: %zu of the rows, the first: %s",
            file, form->name, left_out, query_text(told, "first"));
    if (unverified)
        warning("%s: not verified by %s: %zu of the rows", file, form->name, unverified);
    sqlite3_finalize(told);
    if (!any)
        return error("%s: no row with a time: there is nothing to import", file), NULL;
    json_t *source = import_source(file, NULL);
    return source ? json_pack("{s:o, s:I, s:I, s:[o], s:b}", "imported", jsonfile_string(text),
                              "left_out", (json_int_t)left_out, "not_verified",
                              (json_int_t)unverified, "sources", source, "complete", 1)
                  : NULL;
}

static json_t *make_plan(sqlite3 *db, const struct form *form, enum element element,
                         const char *accumulate) {
    json_t *shapes = json_array();
    for (sqlite3_stmt *row = query_ask(db, "SELECT shape FROM shapes", NULL); query_next(row);)
        json_array_append_new(shapes, json_string(query_text(row, "shape")));
    return json_pack("{s:i, s:s, s:s, s:s, s:[s], s:o, s:[]}", "format", RUNDIR_FORMAT, "imported",
                     form->name, "element", element_words[element], "accumulate", accumulate,
                     "modes", words_modes[MODE_OFFLINE], "shapes", shapes, "units");
}

int import_times(const char *tool, const char *file, enum element element, const char *accumulate,
                 const char *run) {
    const struct form *form = find_tool(tool);
    if (!form)
        return EXIT_TROUBLE;
    sqlite3 *db = query_open();
    struct rows rows = {0};
    query_next(query_ask(
        db,
        "CREATE TABLE asked AS SELECT ?1 AS element, ?2 AS accumulate, ?3 AS unit, "
        "?4 = 'many' AS many",
        element_words[element], accumulate, form->unit, form->many ? "many" : "one", NULL));
    query_run(db, query_import_words);
    int status = form_load(db, form, file) < 0 || form_refuse(db, file) < 0 ? -1 : 0;
    json_t *manifest = status == 0 ? make_manifest(db, form, file) : NULL;
    if (manifest)
        query_run(db, query_import_arms);
    if (manifest && form_refuse(db, file) == 0) {
        query_rows(db, &rows);
        status = import_write(run, make_plan(db, form, element, accumulate), manifest, &rows);
    } else {
        status = -1;
        json_decref(manifest);
    }
    rows_free(&rows);
    sqlite3_close(db);
    return status < 0 ? EXIT_TROUBLE : EXIT_PASS;
}
