/* gemmgate run and check. */
#include <limits.h>
#include <stdio.h>

#include "bench/base/error.h"
#include "bench/base/text.h"
#include "bench/command/commands.h"
#include "bench/command/options/settings_plan.h"
#include "reports/page/document.h"
#include "reports/run/opened.h"

int measure_run(const struct settings *settings, const struct gate_policy *judged) {
    struct plan plan = {0};
    struct build_options build;
    struct run_call call;
    int status = EXIT_TROUBLE;
    if (settings_call(settings, &build, &call) == 0)
        status = settings_plan(settings, judged, &plan);
    if (status == EXIT_PASS)
        status = run_plan(&plan, &call);
    plan_free(&plan);
    return status;
}

/* What became of every kernel and library on every shape. */
static int print_checks(const struct settings *settings, const struct rows *rows) {
    static const char *const names[] = {"shape",  "candidate", "kernel", "outcome",
                                        "detail", "source",    "device"};
    struct document *page = document_new("gemmgate check");
    char shape[SHAPE_TEXT];
    document_facts(page, NULL);
    document_fact(page, "run", settings->output);
    document_table(page, "checks", NULL);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        document_column(page, (struct document_column){.name = names[i]});
    for (size_t i = 0; i < rows->check_count; i++) {
        const struct check_row *row = &rows->checks[i];
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
    return listing_print(settings, page, NULL);
}

/* "RUN: 3 of 5 kernels passed; 2 refused, the first: 64x64x64 bad, nan: C[0][0] ..." */
static void say_tested(const char *run, const struct rows_tested *tested, char *text, size_t size) {
    const size_t all = tested->passed + tested->refused + tested->unsupported;
    char first[ROWS_CHECK_TEXT];
    snprintf(text, size, "%s: ", run);
    if (all == 0)
        text_append(text, size, "no kernel was checked, only libraries");
    else
        text_append(text, size, "%zu of %zu kernels passed", tested->passed, all);
    if (tested->unsupported > 0)
        text_append(text, size, "; %zu unsupported", tested->unsupported);
    if (tested->refused > 0)
        text_append(text, size, "; %zu refused, the first: %s", tested->refused,
                    rows_check_text(tested->first, first));
}

/* The last word on a run: of a check on stdout, unless that has JSON; else where the run fails. */
static int conclude(const struct settings *settings, bool is_check) {
    struct rundir run;
    char text[PATH_MAX + 2 * ROWS_CHECK_TEXT];
    if (rundir_open(settings->output, &run) < 0 || rundir_read(&run) < 0) {
        rundir_close(&run);
        return EXIT_TROUBLE;
    }
    const struct rows_tested tested = rows_tested(&run.rows);
    int status = is_check && settings->json ? print_checks(settings, &run.rows) : EXIT_PASS;
    say_tested(settings->output, &tested, text, sizeof text);
    if (status == EXIT_PASS && settings->fail_on && tested.refused > 0)
        status = EXIT_REFUSED;
    if (is_check && !settings->json)
        puts(text);
    else if (status == EXIT_REFUSED)
        error("%s", text);
    rundir_close(&run);
    return status;
}

int command_run(struct settings *settings) {
    const int status = measure_run(settings, NULL);
    if (status == EXIT_PASS)
        puts(settings->output);
    return status == EXIT_PASS && settings->fail_on ? conclude(settings, false) : status;
}

/* Its plan has no modes, see settings_plan. It takes --json. */
int command_check(struct settings *settings) {
    const int status = measure_run(settings, NULL);
    return status == EXIT_PASS ? conclude(settings, true) : status;
}
