#include "reports/report/report.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/base/beside.h"
#include "bench/base/error.h"
#include "bench/base/files.h"
#include "bench/base/text.h"
#include "reports/page/writers.h"
#include "reports/query/plot.h"
#include "reports/query/query.h"
#include "reports/sections/sections.h"
#include "reports/tables/claims.h"

/* What has no pictures. */
static int write_data(const char *folder, const struct document *page) {
    static const char *const tables[] = {"table1", "shapes", "refused", "deviation"};
    for (size_t i = 0; i < sizeof tables / sizeof *tables; i++) {
        char name[32];
        snprintf(name, sizeof name, "%s.csv", tables[i]);
        if (write_file(folder, name, page, tables[i]) < 0)
            return -1;
    }
    return write_file(folder, "report.json", page, NULL);
}

static int write_pages(const char *folder, const struct document *page) {
    if (write_file(folder, "report.md", page, NULL) < 0 ||
        write_file(folder, "report.html", page, NULL) < 0)
        return -1;
    text_print_line(stdout, "%s/report.md", folder);
    text_print_line(stdout, "%s/report.html", folder);
    return write_text(stdout, page);
}

/* A run with all that stands beside it. */
struct report {
    const struct report_call *call;
    /* The run, others of its plan on devices of its kind, up to agree.run_count, and others of its plan on
     * other devices. */
    struct rundir *runs;
    size_t count;
    struct rundir published; /* numbers of others */
    struct agree agree;
    sqlite3 *db;
};

/* A file that a run need not have. 0, or -1 after error(). */
static int read_if_there(const char *run, const char *name, json_t **json) {
    char path[PATH_MAX];
    bool there;
    if (files_join(path, run, name) < 0 || files_exists(path, &there) < 0)
        return -1;
    return !there || (*json = rundir_read_json(run, name)) ? 0 : -1;
}

/* Returns an exit status. */
static int open_runs(struct report *report) {
    const struct report_call *call = report->call;
    report->count = call->count;
    report->runs = rundir_open_all(call->runs, call->count);
    if (!report->runs)
        return EXIT_TROUBLE;
    rundir_look(&report->runs[0]);
    for (size_t i = 0; i < report->count; i++)
        if (rundir_read_so_far(&report->runs[i]) < 0)
            return EXIT_TROUBLE;
    return agree_read(report->runs, report->count, true, &report->agree);
}

/* What runs must have in common whose times stand beside each other; "": not known. */
static int check_alike(const char *what, const char *here, const char *there) {
    return !*here || !*there || strcmp(here, there) == 0
               ? 0
               : error("the runs cannot be compared: %s: here %s, there %s", what, here, there);
}

/* What others have published or measured. 0, or -1 after error(), also where nothing stands beside it. */
static int load_published(struct report *report) {
    const char *run = report->call->runs[0];
    const struct about *here = &report->runs->about, *there = &report->published.about;
    query_load(report->db, SECTIONS_PUBLISHED, &report->published.rows);
    runs_add(report->db, SECTIONS_PUBLISHED, &report->published, NULL);
    query_next(query_ask(report->db, query_published_lines, run, SECTIONS_PUBLISHED, NULL));
    if (*there->imported &&
        query_any(query_ask(report->db, query_beside, run, SECTIONS_PUBLISHED, NULL)))
        return check_alike("element", here->element, there->element) < 0
                   ? -1
                   : check_alike("accumulate", here->accumulate, there->accumulate);
    if (!query_any(query_ask(report->db, query_published, NULL)))
        return error("%s and %s have nothing in common: %s speedups of a shape by one mode, lens "
                     "and library%s",
                     report->call->published, run, *there->imported ? "neither" : "no",
                     *there->imported ? ", nor times of a shape by one lens" : "");
    return 0;
}

/* The rows of the runs; the database's file also has those of other runs, and those that no page asks for. */
static void load_rows(const struct report *report) {
    const struct report_call *call = report->call;
    for (size_t i = 0; i < report->count; i++) {
        struct rows rows = report->runs[i].rows;
        if (i > 0 && !call->sqlite)
            rows = (struct rows){.checks = rows.checks,
                                 .check_count = rows.check_count,
                                 .controls = rows.controls,
                                 .control_count = rows.control_count};
        if (!call->sqlite)
            rows.visit_count = rows.recording_count = 0;
        query_load(report->db, report->runs[i].folder, &rows);
    }
}

/* The taking of a run's pairs. */
struct pairing {
    struct rundir *run;
    int status;
};

static void take_pairs(void *context) {
    struct pairing *pairing = context;
    pairing->status = rundir_speeds(pairing->run);
}

/* The runs in the database; a thread takes the pairs while it gets their rows. 0, or -1 after error(). */
static int load(struct report *report, const json_t *command, const struct claims *claims) {
    const struct report_call *call = report->call;
    struct runs_asked asked = {call->claims_file, call->published, command,
                               report->agree.run_count};
    struct pairing pairs = {.run = report->runs};
    struct beside beside;
    beside_begin(&beside, take_pairs, &pairs);
    load_rows(report);
    beside_end(&beside);
    if (pairs.status < 0 || (call->published && load_published(report) < 0))
        return -1;
    sections_load(report->db, call->runs[0], report->runs, &asked, claims);
    for (size_t i = 1; i < report->count; i++)
        runs_add(report->db, report->runs[i].folder, &report->runs[i], &(struct runs_asked){0});
    agree_load(report->db, &report->agree);
    if (report->count > 1)
        agree_add_lines(&report->agree, NULL);
    return 0;
}

/* Reads what stands beside the runs, and makes the database. 0, or -1 after error(). */
static int make_database(struct report *report) {
    const struct report_call *call = report->call;
    json_t *command = NULL;
    struct claims claims = {0};
    int status = read_if_there(call->runs[0], "command.json", &command);
    if (status == 0 && call->published)
        status = rundir_open(call->published, &report->published) < 0
                     ? -1
                     : rundir_read(&report->published);
    if (status == 0 && call->claims_file)
        status = claims_read(call->claims_file, &report->runs->about, &claims);
    report->db = query_open();
    if (status == 0)
        status = load(report, command, &claims);
    json_decref(command);
    claims_free(&claims);
    return status < 0 ? -1 : call->sqlite ? query_write(report->db, call->sqlite) : 0;
}

/* The figures, and all that shows them. gnuplot draws while the page is made and its data written. 0, or -1 after
 * error(). */
static int make_pages(const struct report *report) {
    const char *run = report->call->runs[0];
    char folder[PATH_MAX];
    struct child gnuplot;
    if (files_join(folder, run, "report") < 0 || files_make_folder(folder) < 0)
        return -1;
    const int begun = figures_make(folder, report->db, run, &gnuplot);
    struct document *page = sections_make(report->db, run, &report->agree);
    int written = write_data(folder, page);
    const int drawn = plot_wait(&gnuplot, folder, report->db);
    if (drawn < 0) { /* the page says so */
        document_free(page);
        page = sections_make(report->db, run, &report->agree);
    }
    if (written == 0)
        written = write_pages(folder, page);
    document_free(page);
    return begun < 0 || drawn < 0 ? -1 : written;
}

int report_make(const struct report_call *call) {
    struct report report = {.call = call};
    int status = open_runs(&report);
    if (status == EXIT_PASS && (make_database(&report) < 0 || make_pages(&report) < 0))
        status = EXIT_TROUBLE;
    sqlite3_close(report.db);
    agree_free(&report.agree);
    rundir_close_all(report.runs, report.count);
    rundir_close(&report.published);
    return status;
}
