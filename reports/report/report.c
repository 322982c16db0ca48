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

/* The report of what was read. */
static int make_pages(const char *folder, const struct report *report) {
    struct document *page = sections_make(report);
    const int status = page ? write_pages(folder, page) : -1;
    document_free(page);
    return status;
}

/* What the figures say of where the numbers are from. */
static void say_where(const struct about *about, char *text, size_t size) {
    const char *where = *about->imported ? about->imported : about->device;
    snprintf(text, size, "%s%s%s", where, *where && *about->protocol ? ", " : "", about->protocol);
}

/* All that a report is made from. */
struct source {
    struct rundir
        *runs; /* the one, and the same plan measured again, on devices like its own first */
    size_t run_count, alike;
    sqlite3 *db; /* their rows */
    struct agree agree;
    struct cards cards;
    struct rundir theirs;
    json_t *command;
    char published[1024]; /* where the others' numbers are from */
    struct table table1;
    struct claims claims;
    struct claim_findings findings;
    struct figure *figures;
    size_t figure_count;
};

/* A file that a run need not have. 0, or -1 after error(). */
static int read_if_there(const char *run, const char *name, json_t **json) {
    char path[PATH_MAX];
    bool there;
    if (files_join(path, run, name) < 0 || files_exists(path, &there) < 0)
        return -1;
    return !there || (*json = rundir_read_json(run, name)) ? 0 : -1;
}

/* What others have published or measured; nothing where there is none. 0, or -1 after error(). */
static int read_published(const char *run, struct source *source) {
    struct rundir *theirs = &source->theirs;
    if (run && (rundir_open(run, theirs) < 0 || rundir_read(theirs) < 0))
        return -1;
    if (run)
        say_where(&theirs->about, source->published, sizeof source->published);
    return 0;
}

/* 0, or -1 after error(). */
static int read_source(const char *claims_file, const char *published, struct source *source) {
    struct rundir *run = &source->runs[0];
    const struct rows *rows = &run->rows;
    if ((claims_file && (claims_read(claims_file, &source->claims) < 0 ||
                         claims_fit(&source->claims, claims_file, &run->about) < 0)) ||
        read_if_there(run->folder, "command.json", &source->command) < 0 ||
        read_published(published, source) < 0 || tables_make(rows, &source->table1) < 0 ||
        claims_judge(&source->claims,
                     &(struct claims_subject){&run->about, run->plan, rows,
                                              published ? &source->theirs.rows : NULL},
                     &source->table1, &source->findings) < 0)
        return -1;
    return 0;
}

/* 0, or -1 after error() where nothing stands beside it. */
static int load_published(struct source *source) {
    query_load(source->db, SECTIONS_PUBLISHED, &source->theirs.rows);
    sqlite3_stmt *line =
        query_ask(source->db, query_published, source->runs->folder, SECTIONS_PUBLISHED, NULL);
    if (!query_next(line))
        return error("%s has no speedup of a shape, mode, lens and library that is here too",
                     source->theirs.folder);
    sqlite3_finalize(line);
    return 0;
}

/* The database of the runs, and its file, which also has the rows that no page asks for. 0, or -1
 * after error(). */
static int make_database(const char *file, struct source *source) {
    source->db = query_open();
    query_order(source->db, "baselines", reference_baselines);
    for (size_t i = 0; i < source->run_count; i++) {
        const struct rundir *run = &source->runs[i];
        struct rows rows = run->rows;
        if (!file)
            rows.visit_count = rows.control_count = rows.recording_count = 0;
        if (i == 0)
            sections_load(source->db, run->folder, &rows, run->plan, run->manifest,
                          &source->table1);
        else
            query_load(source->db, run->folder, &rows);
    }
    if (source->theirs.folder && load_published(source) < 0)
        return -1;
    return file ? query_write(source->db, file) : 0;
}

static void free_source(struct source *source) {
    sqlite3_close(source->db);
    json_decref(source->command);
    tables_free(&source->table1);
    claims_free(&source->claims);
    claims_findings_free(&source->findings);
    free(source->figures);
    cards_free(&source->cards);
    agree_free(&source->agree);
    rundir_close_all(source->runs, source->run_count);
    rundir_close(&source->theirs);
}

/* Returns an exit status. */
static int open_runs(const char *run, const char *const *again, struct source *source) {
    source->runs = rundir_open_again(run, again, &source->run_count);
    if (!source->runs)
        return EXIT_TROUBLE;
    for (size_t i = 0; i < source->run_count; i++)
        if (rundir_read_so_far(&source->runs[i]) < 0)
            return EXIT_TROUBLE;
    const int status =
        agree_read_devices(source->runs, source->run_count, &source->alike, &source->agree);
    if (status == EXIT_PASS)
        cards_make(source->runs, source->alike, &source->cards);
    return status;
}

int report_make(const struct report_call *call) {
    char folder[PATH_MAX], where[1024], why[1024];
    struct source source = {0};
    int status = open_runs(call->run, call->again, &source);
    const struct rundir *of = source.runs;
    if (status == EXIT_PASS && (read_source(call->claims_file, call->published, &source) < 0 ||
                                make_database(call->sqlite, &source) < 0))
        status = EXIT_TROUBLE;
    if (status != EXIT_PASS) {
        free_source(&source);
        return status;
    }
    status = EXIT_TROUBLE;
    if (files_join(folder, call->run, "report") == 0 && files_make_folder(folder) == 0) {
        say_where(&of->about, where, sizeof where);
        const int drawn = figures_make(folder, source.db, call->run, &source.table1, where,
                                       &source.figures, &source.figure_count);
        const struct report report = {.run = call->run,
                                      .about = &of->about,
                                      .plan = of->plan,
                                      .manifest = of->manifest,
                                      .command = source.command,
                                      .rows = &of->rows,
                                      .db = source.db,
                                      .table1 = &source.table1,
                                      .controls =
                                          controls_judge(&of->rows, of->plan, why, sizeof why),
                                      .why = why,
                                      .figures = source.figures,
                                      .figure_count = source.figure_count,
                                      .published_where = source.published,
                                      .claims = &source.claims,
                                      .findings = &source.findings,
                                      .claims_file = call->claims_file,
                                      .published_run = call->published,
                                      .runs = source.runs,
                                      .run_count = source.alike,
                                      .device_count = source.run_count,
                                      .agree = &source.agree,
                                      .cards = &source.cards};
        if (make_pages(folder, &report) == 0 && drawn == 0)
            status = EXIT_PASS;
    }
    free_source(&source);
    return status;
}
