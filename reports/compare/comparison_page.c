#include "reports/compare/comparison.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/base/jsonfile.h"
#include "bench/base/need.h"
#include "bench/base/text.h"
#include "bench/base/words.h"
#include "reports/page/document.h"
#include "reports/page/ratio_figure.h"
#include "reports/page/shape_columns.h"
#include "reports/rows/undisturbed.h"

/* Lines of the table of shapes on the page; the slowest are the first. */
enum { SHAPES_SHOWN = 200 };

/* Kernels that are named where more are gone. */
enum { ABSENT_NAMED = 3 };

void comparison_put_totals(struct document *page, const struct comparison_total *totals,
                           size_t count) {
#define OF(member, title, ...) DOCUMENT_OF(comparison_total, member, title, __VA_ARGS__)
#define JUDGED(member, title, ...)                                                                 \
    OF(member, title, COUNT, .known = DOCUMENT_IN(comparison_total, judged),                       \
       .unknown = "not judged", __VA_ARGS__)
    enum { PAGES = DOCUMENT_PAGES };
    static const struct document_column columns[] = {
        OF(mode, "mode", CODE),
        OF(lens, "lens", CODE),
        {.name = "class", .key = "size_class"},
        OF(shapes, "rows", COUNT, .key = "shapes"),
        OF(geomean, "ratio", RATIO, .digits = 4),
        JUDGED(verdicts[VERDICT_FASTER], "faster"),
        JUDGED(maybe_faster, "maybe-faster", .formats = PAGES, .omit = DOCUMENT_OMIT_ZERO),
        JUDGED(verdicts[VERDICT_SAME], "same"),
        JUDGED(verdicts[VERDICT_SLOWER], "slower"),
        JUDGED(behind, "behind", .formats = PAGES, .omit = DOCUMENT_OMIT_ZERO),
        JUDGED(verdicts[VERDICT_UNDECIDED], "undecided"),
        JUDGED(verdicts[VERDICT_DISTURBED], "environment", .omit = DOCUMENT_OMIT_ZERO),
        OF(unrecorded, "unrecorded", COUNT, .omit = DOCUMENT_OMIT_ZERO),
    };
#undef JUDGED
#undef OF
    DOCUMENT_TABLE(page, "totals", NULL, columns);
    for (size_t i = 0; i < count; i++) {
        const struct comparison_total *total = &totals[i];
        document_row_of(page, total);
        if (*total->size_class)
            document_cell(page, total->size_class);
        else
            document_cell_marked(page, "**all**");
    }
}

/* "; 2 gone: 64x64x64 mine, 96x96x96 mine" for each way in which kernels are absent. */
static void say_absent(const struct comparison *comparison, char text[COMPARISON_UNCOMPARED]) {
    const struct comparison_absent *absent = comparison->absent;
    char shape[SHAPE_TEXT];
    for (size_t i = 0; i < comparison->absent_count; i++) {
        size_t count = 0, before = 0;
        for (size_t j = 0; j < comparison->absent_count; j++)
            if (strcmp(absent[j].how, absent[i].how) == 0) {
                count++;
                before += j < i;
            }
        if (before == 0)
            text_append(text, COMPARISON_UNCOMPARED, "; %zu %s: ", count, absent[i].how);
        if (before < ABSENT_NAMED)
            text_append(text, COMPARISON_UNCOMPARED, "%s%s %s", before ? ", " : "",
                        shape_format(absent[i].shape, shape), absent[i].kernel);
        else if (before == ABSENT_NAMED)
            text_append(text, COMPARISON_UNCOMPARED, " and %zu more", count - before);
    }
}

bool comparison_uncompared(const struct comparison *comparison, char text[COMPARISON_UNCOMPARED]) {
    const struct rows_tested *tested = &comparison->tested;
    snprintf(text, COMPARISON_UNCOMPARED, "of the new release ");
    rows_tested_text(tested, text, COMPARISON_UNCOMPARED);
    if (comparison->unserved.count) {
        text_append(text, COMPARISON_UNCOMPARED, "; ");
        unserved_text(&comparison->unserved, text, COMPARISON_UNCOMPARED);
    }
    say_absent(comparison, text);
    return tested->counts[ROWS_PASSED] < tested->kernels || comparison->unserved.count > 0 ||
           comparison->absent_count > 0;
}

/* In the place of times: what became of it. */
static void put_absent(struct document *page, struct shape shape, const char *kernel,
                       const char *how, const char *outcome) {
    char text[SHAPE_TEXT];
    document_row(page);
    document_cell(page, shape_format(shape, text));
    shape_cells(page, shape);
    document_cell(page, kernel);
    for (int empty = 0; empty < 6; empty++) /* reference to class */
        document_empty(page, NULL);
    document_verdict(page, how, strcmp(how, "added") == 0 ? DOCUMENT_PLAIN : DOCUMENT_BAD);
    document_cell(page, outcome);
}

static bool is_gone(const struct comparison *comparison, struct shape shape) {
    for (size_t i = 0; i < comparison->absent_count; i++)
        if (shape_compare(comparison->absent[i].shape, shape) == 0)
            return true;
    return false;
}

static void put_uncompared(struct document *page, const struct comparison *comparison) {
    const struct rows *rows = comparison->new_rows;
    for (size_t i = 0; rows && i < rows->check_count; i++) {
        const struct check_row *row = &rows->checks[i];
        const enum rows_fate fate = rows_fate(row);
        if (strcmp(row->kernel, row->candidate) == 0 && !rows_timed(fate))
            put_absent(page, row->shape, row->candidate, rows_fate_words[fate], row->outcome);
    }
    for (size_t i = 0; i < comparison->absent_count; i++) {
        const struct comparison_absent *absent = &comparison->absent[i];
        put_absent(page, absent->shape, absent->kernel, absent->how, absent->outcome);
    }
    for (size_t i = 0; i < comparison->unserved.count; i++)
        if (!is_gone(comparison, comparison->unserved.list[i]))
            put_absent(page, comparison->unserved.list[i], "", "no kernel", "");
}

/* Of two runs that of the old one, too. */
static void put_left_out(struct document *page, const struct comparison_row *row) {
    const struct pair *pairs[] = {row->pair, row->old};
    char all[2 * UNDISTURBED_TEXT] = "", text[UNDISTURBED_TEXT];
    for (size_t i = 0; i < 2; i++)
        if (pairs[i] && pairs[i]->left_out > 0)
            text_append(all, sizeof all, "%s%s%s", *all ? "; " : "", i ? "before: " : "",
                        undisturbed_text(pairs[i]->left_out, pairs[i]->timed_visits, text));
    document_cell(page, all);
}

static void put_rows(struct document *page, const char *id, const struct comparison *comparison,
                     const struct comparison_row *const *rows, size_t count) {
    enum { PAGES = DOCUMENT_PAGES, DATA = DOCUMENT_DATA };
#define OF(member, title, ...) DOCUMENT_OF(comparison_row, member, title, __VA_ARGS__)
#define VIA(pointer, member, title, ...)                                                           \
    DOCUMENT_VIA(comparison_row, pointer, pair, member, title, __VA_ARGS__)
    const struct document_column columns[] = {
        VIA(pair, shape, "shape", TEXT, .formats = PAGES),
        VIA(pair, shape.m, "m", COUNT, .formats = DATA),
        VIA(pair, shape.n, "n", COUNT, .formats = DATA),
        VIA(pair, shape.k, "k", COUNT, .formats = DATA),
        VIA(pair, candidate, "kernel", CODE, .key = "candidate"),
        VIA(pair, reference, "reference", TEXT, .formats = DATA),
        VIA(pair, mode, "mode", TEXT, .formats = DATA),
        VIA(pair, lens, "lens", TEXT, .formats = DATA),
        VIA(pair, cache, "cache", TEXT, .formats = DATA),
        OF(unrecorded, "unrecorded", COUNT, .formats = DATA),
        OF(size_class, "size_class", TEXT, .formats = DATA),
        OF(verdict, "verdict", VERDICT, .words = verdict_words, .mood = document_faster),
        {.name = "outcome", .type = DOCUMENT_CODE, .omit = DOCUMENT_OMIT_EMPTY},
        {.name = "left out", .key = "left_out", .omit = DOCUMENT_OMIT_EMPTY},
        OF(ratio, "ratio", RATIO, .low = "ci_low", .high = "ci_high",
           .unrecorded = DOCUMENT_IN(comparison_row, unrecorded)),
        OF(sd, "sd", NUMBER, .formats = DATA),
        OF(margin, "margin %", SIGNIFICANT, .scale = 100, .key = "margin"),
        OF(old_seconds, "mean before", SECONDS, .key = "old_seconds"),
        OF(new_seconds, "mean now", SECONDS, .key = "new_seconds"),
        VIA(pair, visits, "visits", COUNT),
        VIA(old, visits, "visits before", COUNT, .key = "old_visits",
            .formats = comparison->paired ? DATA : DOCUMENT_ALL),
        /* Last on pages: a phone shows the first ones. */
        VIA(pair, mode, "mode", CODE, .formats = PAGES),
        VIA(pair, lens, "lens", CODE, .formats = PAGES),
        OF(size_class, "class", TEXT, .formats = PAGES),
    };
#undef VIA
#undef OF
    DOCUMENT_TABLE(page, id, NULL, columns);
    document_most(page, DOCUMENT_PAGES, SHAPES_SHOWN);
    document_where(page, "all are in [compare.csv](compare.csv)");
    put_uncompared(page, comparison);
    for (size_t i = 0; i < count; i++) {
        document_row_of(page, rows[i]);
        document_cell(page, ""); /* the outcome of what was timed */
        put_left_out(page, rows[i]);
    }
    unrecorded_explain(page);
}

/* By ratio: the slowest first. */
static int compare_ratios(const void *left, const void *right) {
    const struct comparison_row *a = *(const struct comparison_row *const *)left;
    const struct comparison_row *b = *(const struct comparison_row *const *)right;
    const int order = (a->ratio > b->ratio) - (a->ratio < b->ratio);
    return order ? order : (a > b) - (a < b);
}

static void put_how_compared(struct document *page, const struct comparison *comparison) {
    document_paragraph(page, "The ratio is the time of the old release / the time of the new one: "
                             "**above 1 the new one is faster**.");
    if (comparison->paired) {
        document_paragraph(page, "Old and new were arms of the same blocks of one run: what "
                                 "disturbed the machine met both.");
        return;
    }
    document_paragraph(
        page,
        "Old and new were timed in **two runs** and are compared through the baseline `%s`, which "
        "both runs have timed: the ratio is (baseline / new, in the new run) / (baseline / old, in "
        "the old run). What changed between the runs cancels as far as it moved the baseline and "
        "the kernels alike. Two releases as arms of one run (`gemmgate compare OLD-SET NEW-SET "
        "--suite NAME -o RUN`) are compared more sharply.",
        comparison->rows[0].pair->reference);
    if (comparison->only_old || comparison->only_new)
        document_paragraph(page,
                           "Not compared, because the other run has not measured them against that "
                           "baseline: %zu kernels of the old run and %zu of the new one, each "
                           "counted on each of its shapes.",
                           comparison->only_old, comparison->only_new);
}

static void put_how_to_read(struct document *page, bool paired) {
    document_section(page, 2, "how-to-read", "How to read this");
    document_item(page,
                  "The *ratio* of a shape is the geometric mean over visits, each in another "
                  "process, of the time of the old release / the time of the new one. That "
                  "of a set is the geometric mean over its shapes, where a shape counts once for "
                  "every kernel. 1.05: the old one takes 5 %% longer.");
    document_item(page,
                  "In parentheses stands its 95 %% interval: %s over %s, as in ratios.csv. "
                  "One visit has none.",
                  paired ? "Student's t" : "Welch's t",
                  paired ? "the visits" : "the visits of both runs");
    document_item(page, "*Same*: the whole interval lies within the margin of the shape's size "
                        "class, from 1 / (1 + margin) to 1 + margin. *Faster* and *slower*: it "
                        "lies above or below 1 and not within the margin. *Undecided*: none of "
                        "these was shown; that is not the same as same.");
    document_item(page, "*Mean before* and *mean now* of a shape are geometric means over visits, "
                        "of which the ratio is the quotient. Times before are the times now × the "
                        "ratio, so that two runs are compared through the library timed beside "
                        "them.");
}

/* All rows, in their order; the caller frees. */
static const struct comparison_row **list_rows(const struct comparison *comparison) {
    const struct comparison_row **rows = need(comparison->count, sizeof *rows);
    for (size_t i = 0; i < comparison->count; i++)
        rows[i] = &comparison->rows[i];
    return rows;
}

/* The same rows as data, and for people the slowest first. */
static void put_shapes(struct document *page, const struct comparison *comparison) {
    const struct comparison_row **rows = list_rows(comparison);
    document_only(page, DOCUMENT_DATA);
    put_rows(page, "shapes", comparison, rows, comparison->count);
    document_only(page, DOCUMENT_MARKDOWN | DOCUMENT_HTML);
    qsort(rows, comparison->count, sizeof *rows, compare_ratios);
    document_section(page, 2, "slowest", "Shapes, the slowest first");
    put_rows(page, "slowest", comparison, rows, comparison->count);
    document_paragraph(page, "Every row is in [compare.csv](compare.csv).");
    put_how_to_read(page, comparison->paired);
    free(rows);
}

int comparison_draw(const char *folder, const struct comparison *comparison) {
    const struct comparison_row **rows = list_rows(comparison);
    struct ratio_point *points = need(comparison->count, sizeof *points);
    qsort(rows, comparison->count, sizeof *rows, compare_ratios);
    for (size_t i = 0; i < comparison->count; i++) {
        const struct pair *speed = rows[i]->pair;
        char shape[SHAPE_TEXT];
        points[i] = (struct ratio_point){.ratio = rows[i]->ratio,
                                         .low = rows[i]->ci_low,
                                         .high = rows[i]->ci_high,
                                         .margin = rows[i]->margin,
                                         .size = log2(shape_flops(speed->shape) / 2),
                                         .verdict = rows[i]->verdict};
        snprintf(points[i].label, sizeof points[i].label, "%s.%.40s%s",
                 shape_format(speed->shape, shape), speed->candidate,
                 rows[i]->unrecorded ? " unrecorded" : "");
        snprintf(points[i].lens, sizeof points[i].lens, "%.30s.%.30s", speed->mode, speed->lens);
    }
    const int status = ratio_figure(folder, COMPARISON_FIGURE, "Every row with its 95 % interval",
                                    points, comparison->count);
    free(points);
    free(rows);
    return status;
}

/* The finding, a line a mode and lens. */
static void put_verdict(struct document *page, const struct comparison_total *totals,
                        size_t count) {
    document_section(page, 2, "verdict", "Verdict");
    for (size_t i = 0; i < count; i++) {
        const struct comparison_total *total = &totals[i];
        if (*total->size_class)
            continue;
        document_note(page,
                      total->low > 1    ? DOCUMENT_GOOD
                      : total->high < 1 ? DOCUMENT_BAD
                                        : DOCUMENT_PLAIN,
                      "**The new release has %.3f times the speed of the old one** by `%s`, %s",
                      total->geomean, total->lens, total->mode);
        if (isfinite(total->low) && isfinite(total->high))
            document_add(page, " (95 %% interval %.3f to %.3f)", total->low, total->high);
        document_add(page, ": of %zu rows %zu are faster, %zu slower, %zu the same, %zu undecided.",
                     total->shapes, total->verdicts[VERDICT_FASTER],
                     total->verdicts[VERDICT_SLOWER], total->verdicts[VERDICT_SAME],
                     total->verdicts[VERDICT_UNDECIDED]);
        if (total->verdicts[VERDICT_DISTURBED] > 0)
            document_add(page, " The machine was disturbed while %zu were timed.",
                         total->verdicts[VERDICT_DISTURBED]);
        if (total->left_out > 0)
            document_add(page, " Of %zu the visits are left out in which it was disturbed.",
                         total->left_out);
        if (total->unrecorded > 0)
            document_add(page, " %zu are of *unrecorded* kernels.", total->unrecorded);
    }
}

static void put_figure(struct document *page, const struct comparison *comparison) {
    size_t slower = 0, faster = 0;
    char alt[160];
    for (size_t i = 0; i < comparison->count; i++) {
        slower += comparison->rows[i].verdict == VERDICT_SLOWER;
        faster += comparison->rows[i].verdict == VERDICT_FASTER;
    }
    snprintf(alt, sizeof alt,
             "The ratio of every row with its 95 %% interval; 1 is as before; of %zu rows %zu are "
             "faster and %zu slower",
             comparison->count, faster, slower);
    document_figure(page, COMPARISON_FIGURE, alt, "Every row with its 95 % interval and its margin",
                    true);
}

void comparison_put_set(struct document *page, const char *name, const struct rundir *run,
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
    const struct rundir *now = comparison->now, *before = comparison->before;
    if (!now)
        return;
    document_facts(page, "what was compared");
    comparison_put_set(page, "old", before ? before : now, !before);
    comparison_put_set(page, "new", now, false);
    document_fact(page, "measured on", now->about.device);
    document_fact(page, "software", now->about.software);
}

struct document *comparison_page(const struct comparison *comparison,
                                 const struct comparison_total *totals, size_t total_count,
                                 bool drawn) {
    struct document *page = document_new("Comparison of two releases");
    char uncompared[COMPARISON_UNCOMPARED];
    document_only(page, DOCUMENT_PAGES);
    if (comparison_uncompared(comparison, uncompared))
        document_note(page, DOCUMENT_BAD, "**Not all is compared**: %s.", uncompared);
    document_only(page, DOCUMENT_ALL);
    put_sets(page, comparison);
    document_only(page, DOCUMENT_MARKDOWN | DOCUMENT_HTML);
    if (comparison->count > 0) {
        put_verdict(page, totals, total_count);
        if (drawn)
            put_figure(page, comparison);
        document_only(page, DOCUMENT_ALL);
        put_how_compared(page, comparison);
        document_section(page, 2, "totals", "The whole set");
        comparison_put_totals(page, totals, total_count);
    } else {
        document_only(page, DOCUMENT_ALL);
        document_paragraph(page, "No shape was timed for both the old and the new release: nothing "
                                 "is compared.");
        document_only(page, DOCUMENT_DATA);
        comparison_put_totals(page, totals, 0);
    }
    document_only(page, DOCUMENT_ALL);
    put_shapes(page, comparison);
    return page;
}
