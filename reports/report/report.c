#include "reports/report/report.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/base/error.h"
#include "bench/base/files.h"
#include "bench/base/text.h"
#include "reports/page/writers.h"
#include "reports/query/query.h"
#include "reports/report/figures.h"
#include "reports/sections/sections.h"

static int write_pages(const char *folder, const struct document *page) {
    static const char *const tables[] = {"table1", "shapes", "refused", "deviation"};
    for (size_t i = 0; i < sizeof tables / sizeof *tables; i++) {
        char name[32];
        snprintf(name, sizeof name, "%s.csv", tables[i]);
        if (write_file(folder, name, page, tables[i]) < 0)
            return -1;
    }
    if (write_file(folder, "report.json", page, NULL) < 0 ||
        write_file(folder, "report.md", page, NULL) < 0 ||
        write_file(folder, "report.html", page, NULL) < 0)
        return -1;
    text_print_line(stdout, "%s/report.md", folder);
    text_print_line(stdout, "%s/report.html", folder);
    return write_text(stdout, page);
}

/* What the figures say of where the numbers are from. */
static void say_where(const struct about *about, char *text, size_t size) {
    const char *where = *about->imported ? about->imported : about->device;
    snprintf(text, size, "%s%s%s", where, *where && *about->protocol ? ", " : "", about->protocol);
}

/* A file that a run need not have. 0, or -1 after error(). */
static int read_if_there(const char *run, const char *name, json_t **json) {
    char path[PATH_MAX];
    bool there;
    if (files_join(path, run, name) < 0 || files_exists(path, &there) < 0)
        return -1;
    return !there || (*json = rundir_read_json(run, name)) ? 0 : -1;
}

/* What others have published or measured; nothing where there is none. 0, or -1 after error(). */
static int read_published(struct report *report) {
    struct rundir *theirs = &report->published;
    if (!report->published_run)
        return 0;
    if (rundir_open(report->published_run, theirs) < 0 || rundir_read(theirs) < 0)
        return -1;
    say_where(&theirs->about, report->published_where, sizeof report->published_where);
    return 0;
}

/* What is said of the run and what follows from it. 0, or -1 after error(). */
static int read_claims(struct report *report) {
    const char *file = report->claims_file;
    const struct claims_subject subject = {report->about, report->plan, report->rows,
                                           report->published_run ? &report->published.rows : NULL};
    return file && (claims_read(file, &report->claims) < 0 ||
                    claims_fit(&report->claims, file, report->about) < 0)
               ? -1
               : claims_judge(&report->claims, &subject, report->db, &report->findings);
}

/* The runs' rows, and what is asked for beside them. 0, or -1 after error(). */
static int read_all(struct report *report) {
    report->about = &report->runs->about;
    report->plan = report->runs->plan;
    report->manifest = report->runs->manifest;
    report->rows = &report->runs->rows;
    return read_if_there(report->run, "command.json", &report->command) < 0 ||
                   read_published(report) < 0
               ? -1
               : 0;
}

/* What runs must have in common whose times stand beside each other; "": not known. */
static int check_alike(const char *what, const char *here, const char *there) {
    return !*here || !*there || strcmp(here, there) == 0
               ? 0
               : error("the runs cannot be compared: %s: here %s, there %s", what, here, there);
}

/* 0, or -1 after error() where nothing stands beside it. */
static int load_published(const struct report *report) {
    const struct about *here = report->about, *there = &report->published.about;
    query_load(report->db, SECTIONS_PUBLISHED, &report->published.rows);
    if (*there->imported && beside_any(report->db, report->run, SECTIONS_PUBLISHED))
        return check_alike("element", here->element, there->element) < 0
                   ? -1
                   : check_alike("accumulate", here->accumulate, there->accumulate);
    if (!query_any(query_ask(report->db, query_published, report->run, SECTIONS_PUBLISHED, NULL)))
        return error("%s and %s have nothing in common: neither speedups of a shape by one mode, "
                     "lens and library, nor times of a shape by one lens",
                     report->published_run, report->run);
    return 0;
}

/* The database of the run, and its file, which also has other runs, and rows that no page asks for. 0,
 * or -1 after error(). */
static int make_database(const char *file, struct report *report) {
    report->db = query_open();
    for (size_t i = 0; i < (file ? report->device_count : 1); i++) {
        struct rows rows = report->runs[i].rows;
        if (!file)
            rows.visit_count = rows.recording_count = 0;
        query_load(report->db, report->runs[i].folder, &rows);
    }
    report->controls =
        controls_ask(report->db, report->run, report->plan, report->why, sizeof report->why);
    if (sections_load(report->db, report->run, report->rows, report->plan, report->manifest) < 0)
        return -1;
    report->lead_count = lines_leading(report->db, report->run, &report->leads);
    if (report->published_run && load_published(report) < 0)
        return -1;
    return file ? query_write(report->db, file) : 0;
}

static void free_report(struct report *report) {
    sqlite3_close(report->db);
    json_decref(report->command);
    free(report->leads);
    claims_free(&report->claims);
    claims_findings_free(&report->findings);
    free(report->figures);
    agree_free(&report->agree);
    rundir_close_all(report->runs, report->device_count);
    rundir_close(&report->published);
}

/* Returns an exit status. */
static int open_runs(const char *const *again, struct report *report) {
    report->runs = rundir_open_again(report->run, again, &report->device_count);
    if (!report->runs)
        return EXIT_TROUBLE;
    for (size_t i = 0; i < report->device_count; i++)
        if (rundir_read_so_far(&report->runs[i]) < 0)
            return EXIT_TROUBLE;
    return agree_read(report->runs, report->device_count, true, &report->agree);
}

/* The figures, then all that shows them. 0, or -1 after error(). */
static int make_pages(struct report *report) {
    char folder[PATH_MAX], where[1024];
    if (files_join(folder, report->run, "report") < 0 || files_make_folder(folder) < 0)
        return -1;
    say_where(report->about, where, sizeof where);
    const int drawn = figures_make(folder, report->db, report->run, where, &report->figures,
                                   &report->figure_count);
    struct document *page = sections_make(report);
    const int written = write_pages(folder, page);
    document_free(page);
    return drawn < 0 ? -1 : written;
}

int report_make(const struct report_call *call) {
    struct report report = {
        .run = call->run, .claims_file = call->claims_file, .published_run = call->published};
    int status = open_runs(call->again, &report);
    if (status == EXIT_PASS && (read_all(&report) < 0 || make_database(call->sqlite, &report) < 0 ||
                                read_claims(&report) < 0 || make_pages(&report) < 0))
        status = EXIT_TROUBLE;
    free_report(&report);
    return status;
}
