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

static void add_kernel(const struct view *view, sqlite3_stmt *kernel) {
    const char *candidate = query_text(kernel, "candidate");
    document_section(view->page, 2, NULL, candidate);
    query_say(view->page, ask(view, query_shape_fate, candidate));
    query_facts(view->page, "what is known of it", kernel, 1);
    query_table(view->page, "times", "Times of all arms, with 95 % intervals of the ratios",
                ask(view, query_shape_times, candidate));
    unrecorded_explain(view->page);
    document_facts(view->page, "what a call is made of");
    query_say(view->page, ask(view, query_shape_variants, candidate));
    query_say(view->page, ask(view, query_shape_findings, candidate));
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
