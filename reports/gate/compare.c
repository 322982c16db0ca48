#include "reports/gate/compare.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/base/error.h"
#include "bench/base/files.h"
#include "bench/base/jsonfile.h"
#include "bench/base/text.h"
#include "reports/gate/gate_rows.h"
#include "reports/gate/output.h"
#include "reports/page/assets.h"
#include "reports/page/writers.h"
#include "reports/rows/unserved.h"
#include "reports/run/verify.h"
#include "reports/tables/runs.h"

/* What is compared, and what was found. */
struct comparison {
    const struct compare_call *call;
    struct gate gate;
    struct rows_tested tested; /* of the new release */
    char text[2048];           /* what is not compared; "" where all is */
};

/* 0, or -1 after error(). */
static int open_runs(struct comparison *comparison) {
    const struct compare_call *call = comparison->call;
    struct gate *gate = &comparison->gate;
    return rundir_open(call->run, &gate->run) < 0 ||
                   (call->old && rundir_open(call->old, &gate->base.run) < 0)
               ? -1
               : 0;
}

/* Returns an exit status. */
static int read_runs(struct comparison *comparison) {
    const struct compare_call *call = comparison->call;
    struct gate *gate = &comparison->gate;
    struct rundir *now = &gate->run, *before = &gate->base.run;
    char text[1024];
    if (verify_speeds(now) < 0)
        return EXIT_TROUBLE;
    comparison->tested = rows_tested(&now->rows, NULL);
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

/* Why a run has nothing to compare: it had no earlier set, or no kernel of that by the same name.
 * Returns an exit status. */
static int tell_no_rows(const struct rundir *run) {
    const json_t *removed = json_object_get(run->plan, "removed");
    if (!json_is_object(json_object_get(run->plan, "previous")))
        error("%s holds no earlier release: it was not made with --against", run->folder);
    else if (json_array_size(removed) > 0)
        error(
            "%s: no kernel of the earlier set has the name of one of the new set, so that none is "
            "compared; %zu of the earlier set are not in the new one, the first: %s; a kernel is "
            "compared with the one of its file's name",
            run->folder, json_array_size(removed), json_string_value(json_array_get(removed, 0)));
    else
        error("%s: no kernel was timed beside an earlier one that passed its checks; see "
              "%s/checks.csv",
              run->folder, run->folder);
    return EXIT_TROUBLE;
}

/* Returns an exit status: EXIT_PASS also where what became of the kernels is all there is to show. */
static int check_compared(const struct comparison *comparison) {
    const struct compare_call *call = comparison->call;
    if (comparison->gate.compared)
        return EXIT_PASS;
    if (!call->old)
        return rows_tested_status(&comparison->tested) == EXIT_PASS
                   ? tell_no_rows(&comparison->gate.run)
                   : EXIT_PASS;
    if (call->baseline)
        return error("--baseline %s: %s and %s have no kernel measured against it; without the "
                     "option the best library of both is taken",
                     call->baseline, call->old, call->run),
               EXIT_TROUBLE;
    return error("%s and %s have no kernel that both have measured on one shape against one "
                 "library",
                 call->old, call->run),
           EXIT_NOT_COMPARABLE;
}

/* In what way a row's kernel is compared with nothing, beside those that failed themselves. */
enum absent { GONE, ADDED, EARLIER_REFUSED, EARLIER_UNCHECKED, UNTIMED, COMPARED };
static const char *const absent_words[] = {"gone", "added", "earlier refused",
                                           "earlier not checked", "not timed"};

static enum absent absent_how(const struct gate_row *row) {
    if (row->status == GATE_MISSING)
        return GONE;
    if (row->now || !*row->lens)
        return COMPARED;
    return row->why == GATE_UNTIMED           ? UNTIMED
           : row->why == GATE_EARLIER_REFUSED ? EARLIER_REFUSED
           : row->why                         ? EARLIER_UNCHECKED
                                              : ADDED;
}

/* Whether the row is of the unit of the one before: rows are sorted. */
static bool is_again(const struct gate_row *rows, size_t i) {
    return i > 0 && rows[i].status == rows[i - 1].status &&
           shape_compare(rows[i].shape, rows[i - 1].shape) == 0 &&
           strcmp(rows[i].candidate, rows[i - 1].candidate) == 0;
}

/* "; 2 gone: 64x64x64 mine, 96x96x96 mine". */
static void say_absent(struct comparison *comparison, enum absent how) {
    enum { NAMED = 3 };
    const struct gate *gate = &comparison->gate;
    char shape[SHAPE_TEXT], names[NAMED * (SHAPE_TEXT + RUNDIR_NAME + 2)] = "";
    size_t count = 0;
    for (size_t i = 0; i < gate->count; i++) {
        const struct gate_row *row = &gate->rows[i];
        if (absent_how(row) == how && !is_again(gate->rows, i) && count++ < NAMED)
            text_append(names, sizeof names, "%s%s %s", *names ? ", " : "",
                        shape_format(row->shape, shape), row->candidate);
    }
    if (count > 0)
        text_append(comparison->text, sizeof comparison->text, "; %zu %s: %s", count,
                    absent_words[how], names);
    if (count > NAMED)
        text_append(comparison->text, sizeof comparison->text, " and %zu more", count - NAMED);
}

/* What became of the kernels of the new release, which shapes have none, and which kernels are gone or
 * added. */
static void say_uncompared(struct comparison *comparison) {
    const struct rows_tested *tested = &comparison->tested;
    const struct rundir *run = &comparison->gate.run;
    char *text = comparison->text;
    struct unserved unserved;
    unserved_find(&run->rows, run->plan, &unserved);
    snprintf(text, sizeof comparison->text, "of the new release ");
    rows_tested_text(tested, text, sizeof comparison->text);
    if (unserved.count) {
        text_append(text, sizeof comparison->text, "; ");
        unserved_text(&unserved, text, sizeof comparison->text);
    }
    const size_t length = strlen(text);
    for (int how = 0; how < COMPARED; how++)
        say_absent(comparison, (enum absent)how);
    if (tested->counts[ROWS_PASSED] == tested->kernels && !unserved.count && !text[length])
        *text = 0;
    unserved_free(&unserved);
}

/* Kernels of the old run, each counted on each of its shapes, whose shape the new one was not asked for. */
static size_t count_elsewhere(const struct gate *gate) {
    const struct pairs *old = &gate->base.run.speeds;
    const json_t *shapes = json_object_get(gate->run.plan, "shapes");
    char shape[SHAPE_TEXT];
    size_t count = 0;
    for (size_t i = 0; i < old->count; i++)
        count += pairs_begin_unit(old, i) &&
                 !jsonfile_lists(shapes, shape_format(old->list[i].shape, shape));
    return count;
}

/* The library through which the first of the rows is compared. */
static const char *first_library(const struct gate *gate) {
    for (size_t i = 0; i < gate->count; i++)
        if (gate->rows[i].now)
            return gate->rows[i].now->reference;
    return "";
}

static void put_how_compared(struct document *page, const struct comparison *comparison) {
    document_paragraph(page, "The ratio is the time of the old release / the time of the new one: "
                             "**above 1 the new one is faster**.");
    if (!comparison->call->old) {
        document_paragraph(page, "Old and new were arms of the same blocks of one run: what "
                                 "disturbed the machine met both.");
        return;
    }
    document_paragraph(
        page,
        "Old and new were timed in **two runs** and are compared through the baseline `%s`, which "
        "both runs have timed, or through that which the row names: the ratio is (baseline / new, "
        "in the new run) / (baseline / old, in the old run). What changed between the runs cancels "
        "as far as it moved the baseline and the kernels alike. Two releases as arms of one run "
        "(`gemmgate compare OLD-SET NEW-SET "
        "--suite NAME -o RUN`) are compared more sharply.",
        first_library(&comparison->gate));
    const size_t elsewhere = count_elsewhere(&comparison->gate);
    if (elsewhere)
        document_paragraph(page,
                           "Not compared: %zu kernels of the old run on shapes that the new run "
                           "was not asked for.",
                           elsewhere);
}

void compare_put_set(struct document *page, const char *name, const struct rundir *run,
                     bool earlier) {
    const json_t *manifest = run->manifest;
    const char *folder = jsonfile_text(manifest, earlier ? "previous_folder" : "folder");
    const char *commit = jsonfile_text(manifest, earlier ? "previous_commit" : "kernels_commit");
    const char *set =
        earlier ? jsonfile_text(json_object_get(run->plan, "previous"), "set") : run->about.set;
    document_fact_marked(page, name, "`%s`%s%s%s%.12s; run %s", set, *folder ? ", " : "", folder,
                         *commit ? ", commit " : "", commit, run->folder);
}

/* What was compared: kernels of two releases have the same names. */
static void put_sets(struct document *page, const struct comparison *comparison) {
    const struct rundir *now = &comparison->gate.run;
    const bool two = comparison->call->old != NULL;
    document_facts(page, "what was compared");
    compare_put_set(page, "old", two ? &comparison->gate.base.run : now, !two);
    compare_put_set(page, "new", now, false);
    document_fact(page, "measured on", now->about.device);
    document_fact(page, "inputs while timed", now->about.inputs);
    document_fact(page, "software", now->about.software);
}

static void put_unjudged(struct document *page, const char *inputs) {
    char note[RUNDIR_TEXT];
    if (!*runs_unjudged(inputs, note, sizeof note))
        return;
    document_note(page, DOCUMENT_BAD, "%s", "");
    document_add_marked(page, note);
}

static struct document *make_page(const struct comparison *comparison, bool drawn) {
    /* So many rows in Markdown; compare.csv has all. */
    enum { SHOWN = 200 };
    const struct gate *gate = &comparison->gate;
    struct document *page = document_new("Comparison of two releases");
    document_only(page, DOCUMENT_PAGES);
    put_unjudged(page, gate->run.about.inputs);
    if (*comparison->text)
        document_note(page, DOCUMENT_BAD, "**Not all is compared**: %s.", comparison->text);
    document_only(page, DOCUMENT_ALL);
    put_sets(page, comparison);
    document_only(page, DOCUMENT_PAGES);
    if (gate->lines) {
        document_section(page, 2, "verdict", "Verdict");
        query_say(page, query_ask(gate->lines, query_compare_verdict, NULL));
    } else
        document_paragraph(page, "No shape was timed for both the old and the new release: nothing "
                                 "is compared.");
    if (drawn)
        output_put_figure(page, gate, output_count_open(gate));
    if (gate->lines)
        put_how_compared(page, comparison);
    output_put_findings(page, gate, "compare.csv", SHOWN);
    document_section(page, 3, "how-to-read", "How to read this");
    document_prose(page, assets_compare_reading_md);
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
    const int worst = rows_tested_status(&comparison->tested);
    if (status == EXIT_TROUBLE || !*comparison->text)
        return status;
    if (call->fail_on_refused && worst != EXIT_PASS)
        status = worst;
    else if (status == EXIT_PASS && comparison->gate.compared == 0)
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
    gate_rows_make(gate);
    gate_sort(gate);
    gate_add_lines(gate);
    say_uncompared(comparison);
    const int status = check_compared(comparison);
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
    int status = open_runs(&comparison) < 0 ? EXIT_TROUBLE : read_runs(&comparison);
    if (status == EXIT_PASS)
        status = conclude(&comparison, find_and_show(&comparison));
    gate_free(&comparison.gate);
    return status;
}
