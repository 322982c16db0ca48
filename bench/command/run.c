/* gemmgate run and check. */
#include <stdio.h>
#include <string.h>

#include "bench/base/error.h"
#include "bench/command/commands.h"
#include "bench/command/listing.h"
#include "bench/command/measure.h"
#include "reports/run/rundir.h"

/* --fail-on refused: kernels under test that did not pass. */
static int fail_on_refused(const char *run) {
    struct rows rows = {0};
    char shape[SHAPE_TEXT];
    if (rundir_read(run, &rows) < 0)
        return EXIT_TROUBLE;
    const struct check_row *first = NULL;
    size_t refused = 0;
    for (size_t i = 0; i < rows.check_count; i++) {
        const struct check_row *row = &rows.checks[i];
        if (!*row->candidate || strcmp(row->kernel, row->candidate) != 0 || !rows_refused(row))
            continue;
        first = first ? first : row;
        refused++;
    }
    if (first)
        error("%s: %zu refused, the first: %s %s, %s: %.300s", run, refused,
              shape_format(first->shape, shape), first->kernel, first->outcome, first->detail);
    rows_free(&rows);
    return first ? EXIT_REFUSED : EXIT_PASS;
}

/* What became of every kernel and library on every shape. */
static int print_checks(const struct settings *settings) {
    static const char *const names[] = {"shape",  "candidate", "kernel", "outcome",
                                        "detail", "source",    "device"};
    struct document *page = document_new("gemmgate check");
    struct rows rows = {0};
    char shape[SHAPE_TEXT];
    if (rundir_read(settings->output, &rows) < 0) {
        document_free(page);
        return EXIT_TROUBLE;
    }
    document_facts(page, NULL);
    document_fact(page, "run", settings->output);
    document_table(page, "checks", NULL);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        document_column(page, (struct document_column){.name = names[i]});
    for (size_t i = 0; i < rows.check_count; i++) {
        const struct check_row *row = &rows.checks[i];
        const char *const cells[] = {shape_format(row->shape, shape),
                                     row->candidate,
                                     row->kernel,
                                     row->outcome,
                                     row->detail,
                                     row->source,
                                     row->device};
        document_row(page);
        for (size_t cell = 0; cell < sizeof cells / sizeof *cells; cell++)
            document_cell(page, cells[cell]);
    }
    rows_free(&rows);
    return listing_print(settings, page, NULL);
}

int command_run(struct settings *settings) {
    int status = measure_run(settings, NULL);
    if (status == EXIT_PASS && settings->json)
        status = print_checks(settings);
    else if (status == EXIT_PASS)
        printf("%s\n", settings->output);
    if (status == EXIT_PASS && settings->fail_on)
        status = fail_on_refused(settings->output);
    return status;
}

/* Its plan has no modes, see settings_plan. It takes --json. */
int command_check(struct settings *settings) {
    return command_run(settings);
}
