#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "bench/base/error.h"
#include "bench/base/files.h"
#include "bench/base/text.h"
#include "reports/page/writers.h"
#include "reports/query/query.h"
#include "reports/report/report.h"
#include "reports/run/opened.h"
#include "reports/tables/agree.h"

/* What the page is made of. */
struct view {
    struct rundir run;
    sqlite3 *db;
    char shape[SHAPE_TEXT];
    struct document *page;
};

static sqlite3_stmt *ask(const struct view *view, const char *sql, const char *candidate) {
    return query_ask(view->db, sql, view->run.folder, view->shape, candidate, NULL);
}

/* What became of a kernel under test. */
static void add_check(struct document *page, sqlite3_stmt *kernel) {
    const char *fate = query_text(kernel, "fate");
    if (strcmp(fate, rows_fate_words[ROWS_PASSED]) == 0)
        document_note(page, DOCUMENT_PLAIN, "**ok**: it passed every check.");
    else
        document_note(page,
                      strcmp(fate, rows_fate_words[ROWS_UNRECORDED]) == 0 ? DOCUMENT_PLAIN
                                                                          : DOCUMENT_BAD,
                      "**%s**: %s", query_text(kernel, "outcome"), query_text(kernel, "detail"));
    query_facts(page, "what is known of it", kernel, 4);
}

static void add_times(const struct view *view, const char *candidate) {
    static const struct document_column columns[] = {
        {.name = "kernel", .type = DOCUMENT_TEXT},
        {.name = "mode", .type = DOCUMENT_TEXT, .omit = DOCUMENT_OMIT_SAME},
        {.name = "lens", .type = DOCUMENT_TEXT, .omit = DOCUMENT_OMIT_SAME},
        {.name = "time", .type = DOCUMENT_SECONDS},
        {.name = "5 %", .type = DOCUMENT_SECONDS, .key = "p05"},
        {.name = "95 %", .type = DOCUMENT_SECONDS, .key = "p95"},
        {.name = "TFLOP/s", .type = DOCUMENT_SIGNIFICANT, .key = "tflops"},
        {.name = "% of light",
         .type = DOCUMENT_SHARE,
         .key = "of_light",
         .omit = DOCUMENT_OMIT_EMPTY},
        {.name = "its time / the candidate's",
         .type = DOCUMENT_RATIO,
         .key = "ratio",
         .unknown = "the candidate itself, or not compared"},
        {.name = "the candidate is",
         .type = DOCUMENT_VERDICT,
         .key = "verdict",
         .mood = document_faster},
        {.name = "left out", .type = DOCUMENT_TEXT, .key = "left_out", .omit = DOCUMENT_OMIT_EMPTY},
        {.name = "samples", .type = DOCUMENT_NUMBER},
        {.name = "marked %", .type = DOCUMENT_SHARE, .key = "marked", .omit = DOCUMENT_OMIT_EMPTY},
        {.name = "launch on the host",
         .type = DOCUMENT_SECONDS,
         .key = "host_seconds",
         .omit = DOCUMENT_OMIT_EMPTY},
    };
    QUERY_TABLE(view->page, "times", "Times of all arms, with 95 % intervals of the ratios",
                columns, ask(view, query_shape_times, candidate));
    unrecorded_explain(view->page);
}

static void add_kernel(const struct view *view, sqlite3_stmt *kernel) {
    const char *candidate = query_text(kernel, "candidate");
    document_section(view->page, 2, NULL, candidate);
    add_check(view->page, kernel);
    add_times(view, candidate);
    sqlite3_stmt *variant = ask(view, query_shape_variants, candidate);
    for (bool first = true; query_next(variant); first = false) {
        if (first)
            document_facts(view->page, "what a call is made of");
        document_fact(view->page, query_text(variant, "kernel"), query_text(variant, "variant"));
    }
    sqlite3_stmt *found = ask(view, query_shape_findings, candidate);
    while (query_next(found))
        document_item(view->page, "%s, `%s`, in %s: %s", query_text(found, "level"),
                      query_text(found, "finding"), query_text(found, "part"),
                      query_text(found, "text"));
}

static int make(struct view *view, const char *folder) {
    char name[SHAPE_TEXT + 32];
    if (rundir_read_so_far(&view->run) < 0)
        return -1;
    view->db = query_open();
    query_load(view->db, view->run.folder, &view->run.rows);
    sqlite3_stmt *kernel =
        query_ask(view->db, query_shape_kernels, view->run.folder, view->shape, NULL);
    if (!query_next(kernel))
        return error("%s has no shape %s; shapes.csv of its report lists those that it has",
                     view->run.folder, view->shape);
    snprintf(name, sizeof name, "gemmgate report: %s", view->shape);
    view->page = document_new(name);
    agree_unverified(view->page, &view->run, 1);
    do
        add_kernel(view, kernel);
    while (query_next(kernel));
    snprintf(name, sizeof name, "%s.html", view->shape);
    if (files_make_folder(folder) < 0 || write_file(folder, name, view->page, NULL) < 0)
        return -1;
    text_print_line(stdout, "%s/%s", folder, name);
    return write_text(stdout, view->page);
}

int shape_report_make(const char *run, const char *shape) {
    char folder[PATH_MAX];
    struct shape sizes;
    struct view view = {0};
    const char *wrong = shape_parse(shape, &sizes);
    if (wrong)
        return error("--shape %s: %s", shape, wrong), EXIT_TROUBLE;
    shape_format(sizes, view.shape);
    const int status = files_join(folder, run, "report") < 0 || rundir_open(run, &view.run) < 0
                           ? -1
                           : make(&view, folder);
    document_free(view.page);
    sqlite3_close_v2(view.db); /* a query may be left where nothing is known of the shape */
    rundir_close(&view.run);
    return status < 0 ? EXIT_TROUBLE : EXIT_PASS;
}
