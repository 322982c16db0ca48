#include "reports/page/report.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bench/base/csv.h"
#include "bench/base/error.h"
#include "bench/base/files.h"
#include "reports/page/figures.h"
#include "reports/page/html.h"
#include "reports/page/markdown.h"
#include "reports/run/rundir.h"
#include "reports/tables/about.h"
#include "reports/tables/claims.h"
#include "reports/tables/controls.h"
#include "reports/tables/lens_conflicts.h"
#include "reports/tables/published.h"
#include "reports/tables/shapes.h"
#include "reports/tables/tables.h"

static int write_table(const char *folder, const char *name, const struct table *table) {
    struct file file;
    if (file_open(&file, folder, name) < 0)
        return -1;
    FILE *out = file.stream;
    fputs("candidate,mode,lens,baseline,shapes,mean,median,sd,wins,geomean_ratio,faster,slower,"
          "undecided,environment\n",
          out);
    for (size_t i = 0; i < table->count; i++) {
        const struct table_line *line = &table->lines[i];
        const char *texts[] = {line->mode, line->lens, line->baseline};
        const double numbers[] = {line->mean, line->median, line->sd};
        csv_put_text(out, line->candidate);
        csv_put_texts(out, texts, 3);
        fprintf(out, ",%zu", line->shapes);
        csv_put_numbers(out, numbers, 3);
        fprintf(out, ",%zu,", line->wins);
        csv_put_number(out, line->geomean);
        fprintf(out, ",%zu,%zu,%zu,%zu\n", line->faster, line->slower, line->undecided,
                line->environment);
    }
    return file_commit(&file);
}

static int write_refused(const char *folder, const struct rows *rows) {
    struct file file;
    if (file_open(&file, folder, "refused.csv") < 0)
        return -1;
    fputs("m,n,k,candidate,kernel,outcome,detail\n", file.stream);
    for (size_t i = 0; i < rows->check_count; i++) {
        const struct check_row *row = &rows->checks[i];
        const char *texts[] = {row->candidate, row->kernel, row->outcome, row->detail};
        if (!rows_refused(row))
            continue;
        csv_put_shape(file.stream, row->shape);
        csv_put_texts(file.stream, texts, 4);
        fputc('\n', file.stream);
    }
    return file_commit(&file);
}

static int write_page(const char *folder, const struct report *report) {
    struct file file;
    if (file_open(&file, folder, "report.md") < 0)
        return -1;
    markdown_write(file.stream, report);
    return file_commit(&file);
}

static int write_html(const char *run, const char *folder, const struct report *report) {
    char path[PATH_MAX];
    struct file file;
    if (files_join(path, run, "manifest.json") < 0)
        return -1;
    const bool has_manifest = access(path, F_OK) == 0;
    json_t *plan = rundir_read_json(run, "plan.json");
    json_t *manifest = has_manifest ? rundir_read_json(run, "manifest.json") : NULL;
    const struct html_page page = {
        .report = report, .folder = folder, .plan = plan, .manifest = manifest};
    int status =
        !plan || (has_manifest && !manifest) ? -1 : file_open(&file, folder, "report.html");
    if (status == 0) {
        status = html_write(file.stream, &page);
        if (status == 0)
            status = file_commit(&file);
        else
            file_abandon(&file);
    }
    json_decref(plan);
    json_decref(manifest);
    return status;
}

static void print_short(const char *folder, const struct report *report) {
    const struct table *table = report->table1;
    char mean[16], median[16];
    printf("%s/report.md\n%s/report.html\n", folder, folder);
    if (!report->about->complete && !*report->about->imported)
        printf("complete: %s; %s\n", report->about->how_complete, about_remedy(report->about));
    if (report->controls != CONTROLS_NONE)
        printf("controls %s%s%s\n", controls_word(report->controls), *report->why ? ": " : "",
               report->why);
    if (table->count)
        printf("\n%-20s %-8s %-8s %-24s %8s %8s %12s\n", "candidate", "lens", "mode", "baseline",
               "mean %", "median %", "wins");
    for (size_t i = 0; i < table->count; i++) {
        const struct table_line *line = &table->lines[i];
        char wins[48];
        snprintf(wins, sizeof wins, "%zu of %zu", line->wins, line->shapes);
        printf("%-20s %-8s %-8s %-24s %8s %8s %12s\n", line->candidate, line->lens, line->mode,
               line->baseline, markdown_percent(line->mean, mean),
               markdown_percent(line->median, median), wins);
    }
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
    if (about_read(run, &about) < 0 || rundir_read(run, theirs) < 0 ||
        published_make(ours, theirs, published) < 0)
        return -1;
    describe(&about, published->where, sizeof published->where);
    return published->count ? 0
                            : error("%s has no speedup of a shape, mode, lens and library that is "
                                    "here too",
                                    run);
}

int report_make(const char *run, const char *claims_file, const char *published_run) {
    char folder[PATH_MAX], where[1024], why[1024];
    struct rows rows = {0}, theirs = {0};
    struct about about;
    struct published published = {0};
    struct table table1 = {0}, table2 = {0};
    struct lens_conflicts disagreements = {0};
    struct claims claims = {0};
    struct profile profile = {0};
    struct figure *figures = NULL;
    size_t figure_count = 0;
    int status = EXIT_TROUBLE;
    if ((claims_file && claims_read(claims_file, &claims) < 0) || about_read(run, &about) < 0 ||
        rundir_read(run, &rows) < 0 || profile_read(run, &profile) < 0 ||
        files_join(folder, run, "report") < 0 || files_make_folder(folder) < 0 ||
        read_published(published_run, &rows, &theirs, &published) < 0 ||
        tables_make(&rows, TABLE_CANDIDATE, &table1) < 0 ||
        tables_make(&rows, TABLE_BEST, &table2) < 0 ||
        lens_conflicts_disagree(&rows, &disagreements) < 0 ||
        write_table(folder, "table1.csv", &table1) < 0 ||
        write_table(folder, "table2.csv", &table2) < 0 || shapes_write(folder, &rows) < 0 ||
        write_refused(folder, &rows) < 0)
        goto done;
    describe(&about, where, sizeof where);
    int drawn = figures_make(folder, &rows, &table1, &published, where, &figures, &figure_count);
    const struct report report = {.about = &about,
                                  .rows = &rows,
                                  .table1 = &table1,
                                  .table2 = &table2,
                                  .controls = controls_judge(&rows, about.precise, why, sizeof why),
                                  .why = why,
                                  .disagreements = &disagreements,
                                  .figures = figures,
                                  .figure_count = figure_count,
                                  .profile = &profile,
                                  .published = &published,
                                  .claims = &claims,
                                  .claims_file = claims_file};
    if (write_page(folder, &report) < 0 || write_html(run, folder, &report) < 0)
        goto done;
    print_short(folder, &report);
    status = drawn < 0 ? EXIT_TROUBLE : EXIT_PASS;
done:
    tables_free(&table1);
    tables_free(&table2);
    free(disagreements.list);
    claims_free(&claims);
    profile_free(&profile);
    published_free(&published);
    free(figures);
    rows_free(&rows);
    rows_free(&theirs);
    return status;
}
