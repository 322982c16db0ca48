/* The page of a history. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bench/base/error.h"
#include "bench/base/files.h"
#include "bench/base/need.h"
#include "reports/page/ratio_figure.h"
#include "reports/page/writers.h"
#include "reports/rows/size_class.h"
#include "reports/store/history.h"
#include "timing/changes.h"

static double newest(const struct history_series *series, size_t back) {
    return series->points[series->count - 1 - back].row.ratio;
}

/* Changes of a level in all series; *slower of them to a slower one; *largest: the one that is
 * farthest from no change, NULL for none. */
static size_t told_changes(const struct history *history, size_t *slower,
                           const struct history_point **largest) {
    size_t count = 0;
    double most = 0;
    *slower = 0;
    *largest = NULL;
    for (size_t i = 0; i < history->count; i++)
        for (size_t p = 0; p < history->list[i].count; p++) {
            const struct history_point *point = &history->list[i].points[p];
            const double size = fabs(log(point->after / point->before));
            count += !isnan(point->before);
            *slower += point->after < point->before;
            if (size > most) {
                most = size;
                *largest = point;
            }
        }
    return count;
}

/* Of the first point of a new level: the commits of the kernels between which it changed, as git
 * takes them: "1a2b3c4d..5e6f7a8b"; one where they are the same, "-" for what is not known. */
enum { COMMITS = 24 };
static const char *put_commits(const struct history_point *point, char text[COMMITS]) {
    const char *before = point[-1].entry->kernels, *after = point->entry->kernels;
    if (strcmp(before, after) == 0)
        snprintf(text, COMMITS, "%.8s", after);
    else
        snprintf(text, COMMITS, "%.8s..%.8s", *before ? before : "-", *after ? after : "-");
    return text;
}

/* The answer, before the tables. */
static void put_verdict(struct document *page, const struct history *history) {
    const struct history_point *largest;
    size_t longest = 0, short_ones = 0, slower;
    const size_t count = told_changes(history, &slower, &largest);
    char shape[SHAPE_TEXT], commits[COMMITS];
    bool one = true;
    for (size_t i = 0; i < history->count; i++) {
        longest = history->list[i].count > longest ? history->list[i].count : longest;
        short_ones += history->list[i].count < CHANGES_SCATTER;
        one = one && strcmp(history->list[i].points->entry->run.about.device,
                            history->points->entry->run.about.device) == 0;
    }
    document_section(page, 2, "verdict", "Verdict");
    document_note(page,
                  slower  ? DOCUMENT_BAD
                  : count ? DOCUMENT_GOOD
                          : DOCUMENT_PLAIN,
                  "**Changes of level: %zu to slower, %zu to faster**, in %zu series of up to %zu "
                  "runs, on %s.",
                  slower, count - slower, history->count, longest,
                  one ? history->points->entry->run.about.device : "several devices");
    const bool known = largest && *put_commits(largest, commits);
    if (largest)
        document_add(page, " The largest: %s %s, %s, %s, %+.1f %% in %s%s%s.",
                     shape_format(largest->row.shape, shape), largest->row.candidate,
                     largest->row.mode, largest->row.lens,
                     100 * (largest->after / largest->before - 1), largest->entry->name,
                     known ? ", with the kernels of " : "", known ? commits : "");
    document_add(page,
                 " A series is a kernel on a shape, by mode and lens. Were all stable, any change "
                 "would be told in at most %g %% of such histories.",
                 100 * HISTORY_ALPHA);
    if (short_ones > 0)
        document_paragraph(page,
                           "In %zu series of fewer than %d runs the runs' own intervals decide; "
                           "what differs between runs of the same kernels is not known there yet.",
                           short_ones, CHANGES_SCATTER);
}

/* How often a series of the class has a new level, and how the newest runs stand beside the first.
 */
static void put_classes(struct document *page, const struct history *history) {
    static const struct document_column columns[] = {
        {.name = "log2(M·N·K)", .key = "size_class"},
        {.name = "series", .type = DOCUMENT_COUNT},
        {.name = "became faster", .type = DOCUMENT_COUNT, .key = "faster"},
        {.name = "became slower", .type = DOCUMENT_COUNT, .key = "slower"},
        {.name = "newest over first", .type = DOCUMENT_NUMBER, .digits = 4, .key = "over_first"},
    };
    document_section(page, 2, "classes", "By size class");
    DOCUMENT_TABLE(page, "classes", NULL, columns);
    for (int class = 0; class < SIZE_CLASSES; class ++) {
        char name[SIZE_CLASS_TEXT];
        size_t series = 0, faster = 0, slower = 0;
        double sum = 0;
        for (size_t i = 0; i < history->count; i++) {
            const struct history_series *one = &history->list[i];
            if (size_class_of(one->points->row.shape) != class)
                continue;
            series++;
            sum += log(newest(one, 0) / newest(one, one->count - 1));
            for (size_t p = 0; p < one->count; p++) {
                faster += one->points[p].after > one->points[p].before;
                slower += one->points[p].after < one->points[p].before;
            }
        }
        if (series == 0)
            continue;
        document_row(page);
        document_cell(page, size_class_format(class, name));
        document_count(page, series);
        document_count(page, faster);
        document_count(page, slower);
        document_number(page, exp(sum / (double)series));
    }
}

#define OF(member, title, ...) DOCUMENT_OF(history_point, member, title, __VA_ARGS__)
#define VIA(member, title, ...)                                                                    \
    DOCUMENT_VIA(history_point, entry, store_entry, member, title, __VA_ARGS__)

/* What a series is of; its size class is the caller's. */
#define SERIES_COLUMNS                                                                             \
    OF(row.shape, "shape", TEXT, .unbroken = true), {.name = "log2(M·N·K)", .key = "size_class"},  \
        OF(row.candidate, "kernel", TEXT), OF(row.mode, "mode", TEXT), OF(row.lens, "lens", TEXT), \
        OF(row.baseline, "against", TEXT),                                                         \
        OF(unrecorded, "unrecorded", COUNT, .formats = DOCUMENT_DATA),                             \
        VIA(run.about.device, "device", TEXT, .formats = DOCUMENT_PAGES,                           \
            .omit = DOCUMENT_OMIT_SAME)

static void put_series(struct document *page, const struct history_point *point) {
    char name[SIZE_CLASS_TEXT];
    document_cell(page, size_class_format(size_class_of(point->row.shape), name));
}

/* When, of which kernels, and by how much. */
static void put_changes(struct document *page, const struct history *history) {
    static const struct document_column columns[] = {
        {.name = "last run before", .unbroken = true, .key = "entry_before"},
        VIA(name, "first run after", TEXT, .unbroken = true, .key = "entry"),
        {.name = "kernels", .unbroken = true},
        SERIES_COLUMNS,
        OF(before, "before", NUMBER, .digits = 4),
        OF(after, "after", NUMBER, .digits = 4,
           .unrecorded = DOCUMENT_IN(history_point, unrecorded)),
        {.name = "change %", .type = DOCUMENT_SPEEDUP, .key = "change"},
    };
    const struct history_point *largest;
    char commits[COMMITS];
    size_t slower;
    document_section(page, 2, "changes", "What changed when");
    if (told_changes(history, &slower, &largest) == 0)
        document_paragraph(page, "No series has changed its level.");
    DOCUMENT_TABLE(page, "changes", NULL, columns);
    for (size_t i = 0; i < history->count; i++)
        for (size_t p = 0; p < history->list[i].count; p++) {
            const struct history_point *point = &history->list[i].points[p];
            if (isnan(point->before))
                continue;
            document_row_of(page, point);
            document_cell(page, point[-1].entry->name);
            document_cell(page, put_commits(point, commits));
            put_series(page, point);
            document_number(page, point->after / point->before - 1);
        }
    unrecorded_explain(page);
}

static void put_newest(struct document *page, const struct history *history) {
    static const struct document_column columns[] = {
        SERIES_COLUMNS,
        {.name = "runs", .type = DOCUMENT_COUNT},
        VIA(name, "newest", TEXT, .unbroken = true),
        OF(row.ratio, "ratio", RATIO, .digits = 4,
           .unrecorded = DOCUMENT_IN(history_point, unrecorded)),
        {.name = "since the run before %", .type = DOCUMENT_SPEEDUP, .key = "since"},
    };
    document_section(page, 2, "newest", "The newest run of each shape");
    DOCUMENT_TABLE(page, "newest", NULL, columns);
    for (size_t i = 0; i < history->count; i++) {
        const struct history_series *series = &history->list[i];
        const struct history_point *last = &series->points[series->count - 1];
        document_row_of(page, last);
        put_series(page, last);
        document_count(page, series->count);
        document_number(page, series->count > 1 ? newest(series, 0) / newest(series, 1) - 1 : NAN);
    }
    unrecorded_explain(page);
}

static struct document *make_page(const struct history *history) {
    struct document *page = document_new("History of a store");
    put_verdict(page, history);
    document_paragraph(page, "Ratios are the time of the library / the time of the kernel: above 1 "
                             "the kernel is faster.");
    put_classes(page, history);
    put_changes(page, history);
    put_newest(page, history);
    return page;
}

/* Of each series its newest run beside its first, in FOLDER/history. As ratio_figure. */
static int draw_changes(const struct history *history, const char *folder) {
    struct ratio_point *points = need(history->count, sizeof *points);
    for (size_t i = 0; i < history->count; i++) {
        const struct history_series *series = &history->list[i];
        const struct history_point *first = series->points, *last = first + series->count - 1;
        char shape[SHAPE_TEXT];
        snprintf(points[i].label, sizeof points[i].label, "%s.%.40s",
                 shape_format(first->row.shape, shape), first->row.candidate);
        snprintf(points[i].lens, sizeof points[i].lens, "%.30s.%.30s", first->row.mode,
                 first->row.lens);
        points[i].ratio = last->row.ratio / first->row.ratio;
        points[i].low = points[i].high = points[i].margin = NAN;
        points[i].size = log2(shape_flops(first->row.shape) / 2);
        bool changed = false;
        for (size_t p = 0; p < series->count; p++)
            changed = changed || !isnan(series->points[p].before);
        points[i].verdict = !changed              ? VERDICT_SAME
                            : points[i].ratio > 1 ? VERDICT_FASTER
                                                  : VERDICT_SLOWER;
    }
    const int drawn =
        ratio_figure(folder, "history", "Newest run over the first", points, history->count);
    free(points);
    return drawn;
}

/* FOLDER/history.html with its figure. Without gnuplot the page is there, and says so. */
static int write_page(struct document *page, const struct history *history, const char *folder) {
    if (files_make_folder(folder) < 0)
        return -1;
    const int drawn = draw_changes(history, folder);
    document_only(page, DOCUMENT_HTML);
    document_section(page, 2, "figure", "Figure");
    document_figure(
        page, "history", "The ratio of each series in its newest run over that in its first",
        "Right of 1 the newest run is faster; a circle has not changed its level", drawn > 0);
    return write_file(folder, "history.html", page, NULL) < 0 || drawn < 0 ? -1 : 0;
}

int history_show(const char *store, const char *baseline, const char *folder, bool json) {
    struct history history;
    int status = history_read(store, baseline, &history);
    if (status == 0) {
        struct document *page = make_page(&history);
        status = json ? write_json(stdout, page) : write_text(stdout, page);
        if (status == 0 && folder)
            status = write_page(page, &history, folder);
        document_free(page);
    }
    history_free(&history);
    return status < 0 ? EXIT_TROUBLE : EXIT_PASS;
}
