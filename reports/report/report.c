#include "reports/report/report.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bench/base/error.h"
#include "bench/base/files.h"
#include "reports/page/write_file.h"
#include "reports/page/write_text.h"
#include "reports/report/figures.h"
#include "reports/sections/sections.h"

static int write_pages(const char *folder, const struct document *page) {
    static const char *const tables[] = {"table1", "table2", "shapes", "refused", "deviation"};
    for (size_t i = 0; i < sizeof tables / sizeof *tables; i++) {
        char name[32];
        snprintf(name, sizeof name, "%s.csv", tables[i]);
        if (write_file(folder, name, page, tables[i]) < 0)
            return -1;
    }
    if (write_file(folder, "report.md", page, NULL) < 0 ||
        write_file(folder, "report.html", page, NULL) < 0)
        return -1;
    printf("%s/report.md\n%s/report.html\n", folder, folder);
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
static void describe(const struct about *about, char *text, size_t size) {
    const char *where = *about->imported ? about->imported : about->device;
    snprintf(text, size, "%s%s%s", where, *where && *about->protocol ? ", " : "", about->protocol);
}

/* What the other run says; nothing where there is none. 0, or -1 after error(). */
static int read_published(const char *run, const struct rows *ours, struct rows *theirs,
                          struct published *published) {
    struct about about;
    if (!run)
        return 0;
    if (about_read(run, &about) < 0 || rundir_read(run, theirs) < 0)
        return -1;
    published_make(ours, theirs, published);
    describe(&about, published->where, sizeof published->where);
    return published->count ? 0
                            : error("%s has no speedup of a shape, mode, lens and library that is "
                                    "here too",
                                    run);
}

/* All that a report is made from. */
struct source {
    struct rows rows, theirs, again;
    struct agree_run runs[2];
    struct about about;
    json_t *plan, *manifest, *command;
    struct published published;
    struct table table1, table2;
    struct units units;
    struct lens_conflicts disagreements;
    struct claims claims;
    struct claim_findings findings;
    struct figure *figures;
    size_t figure_count;
};

/* A file that a run need not have. 0, or -1 after error(). */
static int read_if_there(const char *run, const char *name, json_t **json) {
    char path[PATH_MAX];
    if (files_join(path, run, name) < 0)
        return -1;
    return access(path, F_OK) < 0 || (*json = rundir_read_json(run, name)) ? 0 : -1;
}

/* 0, or -1 after error(). */
static int read_source(const char *run, const char *claims_file, const char *published,
                       struct source *source) {
    if ((claims_file && claims_read(claims_file, &source->claims) < 0) ||
        about_read(run, &source->about) < 0 ||
        (claims_file && claims_fit(&source->claims, claims_file, &source->about) < 0) ||
        rundir_read(run, &source->rows) < 0)
        return -1;
    source->plan = rundir_read_json(run, "plan.json");
    if (!source->plan || read_if_there(run, "manifest.json", &source->manifest) < 0 ||
        read_if_there(run, "command.json", &source->command) < 0 ||
        read_published(published, &source->rows, &source->theirs, &source->published) < 0 ||
        tables_make(&source->rows, TABLE_CANDIDATE, &source->table1) < 0 ||
        tables_make(&source->rows, TABLE_BEST, &source->table2) < 0 ||
        claims_judge(&source->claims, &source->about, &source->rows, &source->table1,
                     &source->findings) < 0)
        return -1;
    units_make(&source->rows, &source->table1, &source->units);
    lens_conflicts_disagree(&source->rows, &source->disagreements);
    return 0;
}

static void free_source(struct source *source) {
    json_decref(source->plan);
    json_decref(source->manifest);
    json_decref(source->command);
    tables_free(&source->table1);
    tables_free(&source->table2);
    units_free(&source->units);
    free(source->disagreements.list);
    claims_free(&source->claims);
    claims_findings_free(&source->findings);
    published_free(&source->published);
    free(source->figures);
    rows_free(&source->rows);
    rows_free(&source->theirs);
    rows_free(&source->again);
}

/* The same plan measured again. Returns an exit status. */
static int read_again(const char *run, const char *again, struct source *source) {
    if (!again)
        return EXIT_PASS;
    source->runs[0] = (struct agree_run){run, &source->rows};
    source->runs[1] = (struct agree_run){again, &source->again};
    if (rundir_read(again, &source->again) < 0)
        return EXIT_TROUBLE;
    return agree_common(source->runs, 2) > 0 ? EXIT_PASS : agree_nothing(run, again);
}

int report_make(const char *run, const char *claims_file, const char *published,
                const char *again) {
    char folder[PATH_MAX], where[1024], why[1024];
    struct source source = {0};
    int status = again ? agree_check(run, again) : EXIT_PASS;
    if (status == EXIT_PASS && read_source(run, claims_file, published, &source) < 0)
        status = EXIT_TROUBLE;
    if (status == EXIT_PASS)
        status = read_again(run, again, &source);
    if (status != EXIT_PASS) {
        free_source(&source);
        return status;
    }
    status = EXIT_TROUBLE;
    if (files_join(folder, run, "report") == 0 && files_make_folder(folder) == 0) {
        describe(&source.about, where, sizeof where);
        const int drawn = figures_make(folder, &source.rows, &source.table1, &source.published,
                                       where, &source.figures, &source.figure_count);
        const struct report report = {.run = run,
                                      .about = &source.about,
                                      .plan = source.plan,
                                      .manifest = source.manifest,
                                      .command = source.command,
                                      .rows = &source.rows,
                                      .table1 = &source.table1,
                                      .table2 = &source.table2,
                                      .units = &source.units,
                                      .controls =
                                          controls_judge(&source.rows, source.manifest,
                                                         source.about.precise, why, sizeof why),
                                      .why = why,
                                      .disagreements = &source.disagreements,
                                      .figures = source.figures,
                                      .figure_count = source.figure_count,
                                      .published = &source.published,
                                      .claims = &source.claims,
                                      .findings = &source.findings,
                                      .claims_file = claims_file,
                                      .published_run = published,
                                      .again_run = again,
                                      .again = again ? source.runs : NULL};
        if (make_pages(folder, &report) == 0 && drawn == 0)
            status = EXIT_PASS;
    }
    free_source(&source);
    return status;
}
