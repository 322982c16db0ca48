#include "reports/gate/compare.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "assets.h"
#include "bench/base/error.h"
#include "bench/base/files.h"
#include "bench/base/text.h"
#include "reports/gate/gate_rows.h"
#include "reports/gate/output.h"
#include "reports/page/writers.h"
#include "reports/query/query.h"
#include "reports/run/verify.h"
#include "reports/tables/tested.h"

/* What is compared, and what was found. */
struct comparison {
    const struct compare_call *call;
    struct gate gate;
    struct tested tested; /* of the new release */
    char text[2048];      /* what is not compared; "" where all is */
};

/* Returns an exit status. */
static int read_runs(struct comparison *comparison) {
    const struct compare_call *call = comparison->call;
    struct gate *gate = &comparison->gate;
    struct rundir *now = &gate->run, *before = &gate->base.run;
    char text[1024];
    if (rundir_open(call->run, now) < 0 || (call->old && rundir_open(call->old, before) < 0) ||
        verify_speeds(now) < 0)
        return EXIT_TROUBLE;
    if (!call->old)
        return EXIT_PASS;
    if (verify_speeds(before) < 0)
        return EXIT_TROUBLE;
    if (fingerprint_differ(&now->fingerprint, &before->fingerprint, text, sizeof text) > 0)
        return error("%s and %s cannot be compared: %s", call->run, call->old, text),
               EXIT_NOT_COMPARABLE;
    gate->base.stored = true;
    pairs_rename_set(&before->speeds, before->about.set, now->about.set);
    gate->library = call->baseline;
    return EXIT_PASS;
}

/* What became of the kernels of the new release, which shapes have none, and which kernels are gone or
 * added. */
static void say_uncompared(struct comparison *comparison) {
    struct tested *tested = &comparison->tested;
    char *text = comparison->text;
    tested_take(comparison->gate.db, "run", tested);
    snprintf(text, sizeof comparison->text, "of the new release ");
    text_append(text, sizeof comparison->text, "%s%s%s", tested->text,
                *tested->unserved ? "; " : "", tested->unserved);
    const size_t length = strlen(text);
    for (sqlite3_stmt *absent = query_ask(comparison->gate.db, query_compare_absent, NULL);
         query_next(absent);)
        text_append(text, sizeof comparison->text, "%s", query_text(absent, "text"));
    if (tested->all_passed && !text[length])
        *text = 0;
}

static struct document *make_page(const struct comparison *comparison, bool drawn) {
    /* So many rows in Markdown; compare.csv has all. */
    enum { SHOWN = 200 };
    const struct gate *gate = &comparison->gate;
    struct document *page = document_new("Comparison of two releases");
    output_tell(gate, "compare.csv", SHOWN, drawn);
    document_only(page, DOCUMENT_PAGES);
    query_say(page, query_ask(gate->db, query_compare_unjudged, comparison->text, NULL));
    query_fill(page, gate->db, "run", assets_compare_page_md);
    query_fill(page, gate->db, "", assets_findings_md);
    query_fill(page, gate->db, "", assets_compare_below_md);
    return page;
}

/* Into the folder, unless it is "", and to stdout. */
static int show(const struct comparison *comparison, const char *folder) {
    const bool json = comparison->call->json;
    if (*folder && files_make_folder(folder) < 0)
        return -1;
    struct document *page =
        make_page(comparison, *folder && output_draw(folder, &comparison->gate));
    int status = 0;
    if (*folder && (write_file(folder, "compare.csv", page, "rows") < 0 ||
                    write_file(folder, "compare.md", page, NULL) < 0 ||
                    write_file(folder, "compare.html", page, NULL) < 0))
        status = -1;
    if (status == 0)
        status = json ? write_json(stdout, page) : write_text(stdout, page);
    if (status == 0 && *folder && !json) {
        text_print_line(stdout, "%s", "");
        text_print_line(stdout, "%s/compare.md", folder);
        text_print_line(stdout, "%s/compare.html", folder);
    }
    document_free(page);
    return status;
}

/* The last line says what is not compared. What became of the new release's kernels makes the status
 * where that is asked for, or where nothing is compared. */
static int conclude(const struct comparison *comparison, int status) {
    const struct compare_call *call = comparison->call;
    const int worst = comparison->tested.status;
    if (status == EXIT_TROUBLE || !*comparison->text)
        return status;
    if (call->fail_on_refused && worst != EXIT_PASS)
        status = worst;
    else if (status == EXIT_PASS &&
             query_one(comparison->gate.db, "SELECT compared FROM counts") == 0)
        status = worst == EXIT_ENVIRONMENT ? worst : EXIT_TROUBLE;
    if (status == EXIT_PASS)
        warning("%s: %s", call->run, comparison->text);
    else
        error("%s: %s", call->run, comparison->text);
    return status;
}

/* Finds the rows and shows them. Returns an exit status. */
static int find_and_show(struct comparison *comparison) {
    const struct compare_call *call = comparison->call;
    struct gate *gate = &comparison->gate;
    char folder[PATH_MAX] = "";
    gate_open(gate);
    if (call->old)
        gate_load_run(gate, "base", &gate->base.run);
    gate_load_run(gate, "run", &gate->run);
    gate_rows_make(gate);
    gate_rows_sum(gate);
    say_uncompared(comparison);
    const bool passed = comparison->tested.status == EXIT_PASS;
    const int status =
        query_refuse(query_ask(gate->db, query_compare_refused, passed ? "passed" : "", NULL));
    if (status != EXIT_PASS)
        return status;
    if (call->folder)
        snprintf(folder, sizeof folder, "%s", call->folder);
    else if (!call->old && files_join(folder, call->run, "compare") < 0)
        return EXIT_TROUBLE;
    return show(comparison, folder) < 0 ? EXIT_TROUBLE : EXIT_PASS;
}

int compare_make(const struct compare_call *call) {
    struct gate_policy policy = *call->policy;
    struct comparison comparison = {.call = call,
                                    .gate = {.call = {.run = call->run, .policy = &policy},
                                             .compares = true,
                                             .base = {.comparable = true}}};
    policy.unrecorded_allowed = true;
    int status = read_runs(&comparison);
    if (status == EXIT_PASS)
        status = conclude(&comparison, find_and_show(&comparison));
    gate_free(&comparison.gate);
    return status;
}
