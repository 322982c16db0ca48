/* gemmgate run and check. */
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#include "bench/base/error.h"
#include "bench/base/text.h"
#include "bench/command/commands.h"
#include "bench/command/options/settings_plan.h"
#include "reports/page/document.h"
#include "reports/run/opened.h"
#include "reports/tables/runs.h"
#include "reports/tables/tested.h"

/* Two sets without a kernel in common have nothing to compare. */
static int refuse_unpaired(const struct settings *settings, const struct plan *plan) {
    struct unit *units;
    const long count = plan_units(plan, &units);
    bool paired = false;
    if (count < 0)
        return -1;
    for (long i = 0; i < count; i++)
        paired |= units[i].previous != NULL;
    free(units);
    return paired
               ? 0
               : error("compare: no kernel of %s has the name of one of %s on the same shape; if "
                       "it is the same kernel by another name, say so: --renamed OLD=NEW",
                       settings->candidates, settings->against);
}

int measure_run(const struct settings *settings) {
    struct plan plan = {0};
    struct build_options build;
    struct run_call call;
    int status = EXIT_TROUBLE;
    if (settings_call(settings, &build, &call) == 0)
        status = settings_plan(settings, &plan);
    if (status == EXIT_PASS && settings->judged && refuse_unpaired(settings, &plan) < 0)
        status = EXIT_TROUBLE;
    if (status == EXIT_PASS)
        status = run_plan(&plan, &call);
    plan_free(&plan);
    return status;
}

/* Prints as JSON the outcome of every kernel and library on every shape. */
static int print_checks(const struct settings *settings, const struct rows *rows) {
    char shape[SHAPE_TEXT];
    struct document *page = document_new("gemmgate check");
    document_facts(page, NULL);
    document_fact(page, "run", settings->output);
    document_table(page, "checks", NULL);
    document_columns(page, "shape", "candidate", "kernel", "outcome", "detail", "source", "device",
                     NULL);
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
        for (size_t c = 0; c < sizeof cells / sizeof *cells; c++)
            document_cell(page, cells[c]);
    }
    return listing_print(settings, page, NULL);
}

static struct tested take_tested(const struct rundir *run) {
    struct tested tested;
    sqlite3 *db = query_open();
    query_add(db, &rows_files[ROWS_CHECKS], "", run->rows.checks, run->rows.check_count);
    runs_add(db, "", run, NULL);
    tested_take(db, "", &tested);
    sqlite3_close(db);
    return tested;
}

/* Says the last word on a run, and returns the exit status. A check says it on stdout, unless that
 * has JSON. A run says it on stderr, and only where something is amiss. A check fails where no kernel
 * serves a shape, because then nothing was checked. */
static int conclude(const struct settings *settings, bool is_check) {
    struct rundir run;
    char text[PATH_MAX + sizeof(struct tested)];
    if (rundir_open(settings->output, &run) < 0 || rundir_read(&run) < 0) {
        rundir_close(&run);
        return EXIT_TROUBLE;
    }
    const struct tested tested = take_tested(&run);
    snprintf(text, sizeof text, "%s: %s%s%s", settings->output,
             tested.kernels > 0 ? tested.text : "no kernel was checked, only libraries",
             *tested.unserved ? "; " : "", tested.unserved);
    const bool fails = SETTINGS_GIVEN(settings, fail_on) ? settings->fail_on : is_check;
    int status = is_check && settings->json ? print_checks(settings, &run.rows) : EXIT_PASS;
    if (status == EXIT_PASS && fails)
        status = tested.status;
    if (status == EXIT_PASS && is_check && tested.none_serves)
        status = EXIT_TROUBLE;
    if (is_check && !settings->json)
        text_print_line(stdout, "%s", text);
    else if (status != EXIT_PASS)
        error("%s", text);
    else if (!tested.all_passed)
        warning("%s", text);
    rundir_close(&run);
    return status;
}

int command_run(struct settings *settings) {
    int status = measure_run(settings);
    if (status != EXIT_PASS)
        return status;
    text_print_line(stdout, "%s", settings->output);
    return conclude(settings, false);
}

/* Its plan has no modes, see settings_plan. It takes --json. */
int command_check(struct settings *settings) {
    const int status = measure_run(settings);
    return status == EXIT_PASS ? conclude(settings, true) : status;
}
