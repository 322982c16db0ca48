/* gemmgate run, check and tune. */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>

#include "bench/base/error.h"
#include "bench/base/text.h"
#include "bench/command/commands.h"
#include "bench/command/options/settings_plan.h"
#include "reports/page/document.h"
#include "reports/report/report.h"
#include "reports/run/opened.h"

/* Of two sets without a kernel in common nothing that is measured could be compared. */
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

int measure_run(const struct settings *settings, const struct gate_policy *judged) {
    struct plan plan = {0};
    struct build_options build;
    struct run_call call;
    int status = EXIT_TROUBLE;
    if (settings_call(settings, &build, &call) == 0)
        status = settings_plan(settings, judged, &plan);
    if (status == EXIT_PASS && judged && refuse_unpaired(settings, &plan) < 0)
        status = EXIT_TROUBLE;
    if (status == EXIT_PASS)
        status = run_plan(&plan, &call);
    plan_free(&plan);
    return status;
}

/* What became of every kernel and library on every shape. */
static int print_checks(const struct settings *settings, const struct rows *rows) {
    static const struct document_column columns[] = {
        DOCUMENT_OF(check_row, shape, "shape", TEXT),
        DOCUMENT_OF(check_row, candidate, "candidate", TEXT),
        DOCUMENT_OF(check_row, kernel, "kernel", TEXT),
        DOCUMENT_OF(check_row, outcome, "outcome", TEXT),
        DOCUMENT_OF(check_row, detail, "detail", TEXT),
        DOCUMENT_OF(check_row, source, "source", TEXT),
        DOCUMENT_OF(check_row, device, "device", TEXT),
    };
    struct document *page = document_new("gemmgate check");
    document_facts(page, NULL);
    document_fact(page, "run", settings->output);
    DOCUMENT_TABLE(page, "checks", NULL, columns);
    for (size_t i = 0; i < rows->check_count; i++)
        document_row_of(page, &rows->checks[i]);
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

/* What the choice of an algorithm is worth, as a run without kernels. */
#define CHOICES                                                                                    \
    "cublaslt-heuristic-nn,cublaslt-heuristic-tn,cublaslt-autotune-nn,cublaslt-autotune-tn"

int command_tune(struct settings *settings) {
    struct document *page;
    settings->baselines =
        settings->exhaustive ? CHOICES ",cublaslt-exhaustive-nn,cublaslt-exhaustive-tn" : CHOICES;
    const int status = measure_run(settings, NULL);
    if (status != EXIT_PASS || settings->shard)
        return status;
    return tuned_make(settings->output, &page) < 0 ? EXIT_TROUBLE
                                                   : listing_print(settings, page, NULL);
}
