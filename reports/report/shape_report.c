#include "reports/report/report.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/base/error.h"
#include "bench/base/files.h"
#include "bench/base/text.h"
#include "reports/page/document.h"
#include "reports/page/writers.h"
#include "reports/rows/undisturbed.h"
#include "reports/sections/sections.h"

/* What the page is made of. */
struct view {
    struct rundir run;
    const char *folder; /* of its report */
    struct shape shape;
    char name[SHAPE_TEXT];
    struct rows rows; /* of the shape */
    struct document *page;
};

/* The shape's rows of the run. */
static void take_rows(struct view *view) {
#define TAKE(row, kind, file, COLUMNS)                                                             \
    for (size_t i = 0; i < view->run.rows.row##_count; i++)                                        \
        if (shape_compare(view->run.rows.row##s[i].shape, view->shape) == 0)                       \
            rows_add_##row(&view->rows, &view->run.rows.row##s[i]);
    ROW_KINDS(TAKE)
#undef TAKE
}

static void put_share(char *text, size_t size, double share) {
    *text = 0;
    if (!isnan(share))
        snprintf(text, size, "%.2f %%", 100 * share);
}

static void put_number(char *text, size_t size, const char *format, double number) {
    *text = 0;
    if (!isnan(number))
        snprintf(text, size, format, number);
}

/* What became of a kernel under test. */
static void add_check(struct document *page, const struct check_row *row) {
    char text[64];
    const enum rows_fate fate = rows_fate(row);
    if (fate == ROWS_PASSED)
        document_note(page, DOCUMENT_PLAIN, "**ok**: it passed every check.");
    else
        document_note(page, fate == ROWS_UNRECORDED ? DOCUMENT_PLAIN : DOCUMENT_BAD, "**%s**: %s",
                      row->outcome, row->detail);
    document_facts(page, "what is known of it");
    document_fact(page, "source", row->source);
    document_fact(page, "accumulator claimed", row->claimed);
    document_fact(page, "accumulator seen", row->seen);
    put_number(text, sizeof text, "%.3g", row->deviation);
    document_fact(page, "largest deviation from the FP32 product", text);
    put_number(text, sizeof text, "%.3g", row->bound);
    document_fact(page, "deviation that is allowed", text);
    put_share(text, sizeof text, row->coarse);
    document_fact(page, "entries over 1.5 last places off", text);
    put_share(text, sizeof text, row->padding_share);
    document_fact(page, "operations that are padding", text);
    document_fact(page, "copy of B that it reads", row->layout);
    document_fact_seconds(page, "setup", row->setup_seconds);
    document_fact_seconds(page, "first call", row->first_call_seconds);
    document_fact(page, "note", row->note);
}

static bool is_own(const struct time_row *time) {
    return strcmp(time->kernel, time->candidate) == 0;
}

/* Whether the arm is a kernel that is unrecorded. */
static bool is_unrecorded(const struct rows *rows, const struct time_row *time) {
    const struct check_row *check = rows_check(rows, time->shape, time->candidate, time->kernel);
    return check && rows_fate(check) == ROWS_UNRECORDED;
}

/* The candidate's ratio to the arm; to any, where the arm is the candidate itself. NULL: none. */
static const struct ratio_row *ratio_of(const struct rows *rows, const struct time_row *time) {
    for (size_t i = 0; i < rows->ratio_count; i++) {
        const struct ratio_row *row = &rows->ratios[i];
        if (strcmp(row->candidate, time->candidate) == 0 &&
            (is_own(time) || strcmp(row->baseline, time->kernel) == 0) &&
            strcmp(row->mode, time->mode) == 0 && strcmp(row->lens, time->lens) == 0)
            return row;
    }
    return NULL;
}

/* The time whose quotient with the candidate's is the ratio; the median of what is not compared. */
static double shown_seconds(const struct time_row *time, const struct ratio_row *ratio) {
    return !ratio ? time->median : is_own(time) ? ratio->seconds : ratio->baseline_seconds;
}

static void add_time(struct document *page, const struct rows *rows, const struct time_row *time) {
    const struct ratio_row *ratio = ratio_of(rows, time);
    const double seconds = shown_seconds(time, ratio);
    char left_out[UNDISTURBED_TEXT];
    document_row_of(page, time);
    document_number(page, seconds);
    unrecorded_label(page, is_unrecorded(rows, time));
    document_number(page, 1e-12 * shape_flops(time->shape) / seconds);
    document_number(page, time->light_seconds / seconds);
    if (ratio && !is_own(time)) {
        document_ratio(page, ratio->ratio, ratio->ci_low, ratio->ci_high);
        unrecorded_label(page,
                         rows_unrecorded(rows, ratio->shape, ratio->candidate, ratio->baseline));
        document_verdict(page, ratio->verdict, document_faster(ratio->verdict));
    } else {
        document_empty(page, is_own(time) ? "the candidate itself" : "not compared");
        document_empty(page, NULL);
    }
    document_cell(page,
                  ratio ? undisturbed_text(ratio->left_out, ratio->timed_visits, left_out) : "");
}

static void add_times(struct document *page, const struct rows *rows, const char *candidate) {
#define OF(member, title, ...) DOCUMENT_OF(time_row, member, title, __VA_ARGS__)
    static const struct document_column columns[] = {
        OF(kernel, "kernel", TEXT),
        OF(mode, "mode", TEXT, .omit = DOCUMENT_OMIT_SAME),
        OF(lens, "lens", TEXT, .omit = DOCUMENT_OMIT_SAME),
        {.name = "time", .type = DOCUMENT_SECONDS},
        OF(p05, "5 %", SECONDS),
        OF(p95, "95 %", SECONDS),
        {.name = "TFLOP/s", .type = DOCUMENT_SIGNIFICANT},
        {.name = "% of light", .type = DOCUMENT_SHARE, .omit = DOCUMENT_OMIT_EMPTY},
        {.name = "its time / the candidate's", .type = DOCUMENT_RATIO},
        {.name = "the candidate is", .type = DOCUMENT_VERDICT},
        {.name = "left out", .omit = DOCUMENT_OMIT_EMPTY},
        OF(samples, "samples", NUMBER),
        OF(marked, "marked %", SHARE, .omit = DOCUMENT_OMIT_EMPTY),
        OF(host_seconds, "launch on the host", SECONDS, .omit = DOCUMENT_OMIT_EMPTY),
    };
#undef OF
    DOCUMENT_TABLE(page, "times", "Times of all arms, with 95 % intervals of the ratios", columns);
    for (size_t i = 0; i < rows->time_count; i++)
        if (strcmp(rows->times[i].candidate, candidate) == 0)
            add_time(page, rows, &rows->times[i]);
    unrecorded_explain(page);
}

/* What a call of each arm is made of. */
static void add_variants(struct document *page, const struct rows *rows, const char *candidate) {
    document_facts(page, "what a call is made of");
    for (size_t i = 0; i < rows->check_count; i++)
        if (strcmp(rows->checks[i].candidate, candidate) == 0)
            document_fact(page, rows->checks[i].kernel, rows->checks[i].variant);
}

static void add_findings(struct document *page, const struct rows *rows, const char *candidate) {
    for (size_t i = 0; i < rows->audit_count; i++)
        if (strcmp(rows->audits[i].candidate, candidate) == 0)
            document_item(page, "%s, `%s`, in %s: %s", rows->audits[i].level,
                          rows->audits[i].finding, rows->audits[i].part, rows->audits[i].text);
}

/* Everything about the shape's kernels under test. */
static void fill_page(struct view *view) {
    const struct rows *rows = &view->rows;
    for (size_t i = 0; i < rows->check_count; i++) {
        const struct check_row *row = &rows->checks[i];
        if (strcmp(row->kernel, row->candidate) != 0)
            continue;
        document_section(view->page, 2, NULL, row->candidate);
        add_check(view->page, row);
        add_times(view->page, rows, row->candidate);
        add_variants(view->page, rows, row->candidate);
        add_findings(view->page, rows, row->candidate);
    }
}

static int write_page(const struct view *view) {
    char name[SHAPE_TEXT + 8];
    snprintf(name, sizeof name, "%s.html", view->name);
    if (write_file(view->folder, name, view->page, NULL) < 0)
        return -1;
    text_print_line(stdout, "%s/%s", view->folder, name);
    return write_text(stdout, view->page);
}

static int make(struct view *view) {
    char title[SHAPE_TEXT + 32];
    if (rundir_read_so_far(&view->run) < 0)
        return -1;
    take_rows(view);
    if (view->rows.check_count == 0)
        return error("%s has no shape %s; shapes.csv of its report lists those that it has",
                     view->run.folder, view->name);
    snprintf(title, sizeof title, "gemmgate report: %s", view->name);
    view->page = document_new(title);
    agree_unverified(view->page, &view->run, 1);
    if (files_make_folder(view->folder) < 0)
        return -1;
    fill_page(view);
    return write_page(view);
}

int shape_report_make(const char *run, const char *shape) {
    char folder[PATH_MAX];
    struct view view = {.folder = folder};
    const char *wrong = shape_parse(shape, &view.shape);
    if (wrong)
        return error("--shape %s: %s", shape, wrong), EXIT_TROUBLE;
    shape_format(view.shape, view.name);
    const int status =
        files_join(folder, run, "report") < 0 || rundir_open(run, &view.run) < 0 ? -1 : make(&view);
    document_free(view.page);
    rows_free(&view.rows);
    rundir_close(&view.run);
    return status < 0 ? EXIT_TROUBLE : EXIT_PASS;
}
