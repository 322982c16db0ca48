#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "reports/page/document.h"
#include "reports/rows/size_class.h"
#include "reports/store/store_page.h"
#include "timing/changes.h"

static double newest(const struct history_series *series, size_t back) {
    return series->points[series->count - 1 - back].ratio.ratio;
}

/* Changes of a level in all series; *slower of them to a slower one; *largest: the one that is
 * farthest from no change, NULL for none. */
static size_t told_changes(const struct history_series_set *set, size_t *slower,
                           const struct history_series_point **largest) {
    size_t count = 0;
    double most = 0;
    *slower = 0;
    *largest = NULL;
    for (size_t i = 0; i < set->count; i++)
        for (size_t p = 0; p < set->list[i].count; p++) {
            const struct history_series_point *point = &set->list[i].points[p];
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

/* The answer, before the tables. */
static void put_verdict(struct document *page, const struct history_series_set *set) {
    const struct history_series_point *largest;
    size_t longest = 0, short_ones = 0, slower;
    const size_t count = told_changes(set, &slower, &largest);
    char shape[SHAPE_TEXT], commits[HISTORY_SERIES_COMMITS];
    bool one = true;
    for (size_t i = 0; i < set->count; i++) {
        longest = set->list[i].count > longest ? set->list[i].count : longest;
        short_ones += set->list[i].count < CHANGES_SCATTER;
        one = one && strcmp(set->list[i].points->entry.device, set->points->entry.device) == 0;
    }
    document_section(page, 2, "verdict", "Verdict");
    document_note(page,
                  slower  ? DOCUMENT_BAD
                  : count ? DOCUMENT_GOOD
                          : DOCUMENT_PLAIN,
                  "**Changes of level: %zu to slower, %zu to faster**, in %zu series of up to %zu "
                  "runs, on %s.",
                  slower, count - slower, set->count, longest,
                  one ? set->points->entry.device : "several devices");
    const bool known = largest && *history_series_commits(largest, commits);
    if (largest)
        document_add(page, " The largest: %s %s, %s, %s, %+.1f %% in %s%s%s.",
                     shape_format(largest->speed.shape, shape), largest->speed.candidate,
                     largest->speed.mode, largest->speed.lens,
                     100 * (largest->after / largest->before - 1), largest->entry.name,
                     known ? ", with the kernels of " : "", known ? commits : "");
    document_add(page,
                 " A series is a kernel on a shape, by mode and lens. Were all stable, any change "
                 "would be told in at most %g %% of such histories.",
                 100 * HISTORY_SERIES_ALPHA);
    if (short_ones > 0)
        document_paragraph(page,
                           "In %zu series of fewer than %d runs the runs' own intervals decide; "
                           "what differs between runs of the same kernels is not known there yet.",
                           short_ones, CHANGES_SCATTER);
}

/* How often a series of the class has a new level, and how the newest runs stand beside the first.
 */
static void put_classes(struct document *page, const struct history_series_set *set) {
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
        for (size_t i = 0; i < set->count; i++) {
            const struct history_series *one = &set->list[i];
            if (size_class_of(one->points->speed.shape) != class)
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

#define OF(member, title, ...) DOCUMENT_OF(history_series_point, member, title, __VA_ARGS__)

/* What a series is of; its size class is the caller's. */
#define SERIES_COLUMNS                                                                             \
    OF(speed.shape, "shape", TEXT, .unbroken = true),                                              \
        {.name = "log2(M·N·K)", .key = "size_class"}, OF(speed.candidate, "kernel", TEXT),         \
        OF(speed.mode, "mode", TEXT), OF(speed.lens, "lens", TEXT),                                \
        OF(speed.reference, "against", TEXT),                                                      \
        OF(speed.unrecorded, "unrecorded", COUNT, .formats = DOCUMENT_DATA),                       \
        OF(entry.device, "device", TEXT, .formats = DOCUMENT_PAGES, .omit = DOCUMENT_OMIT_SAME)

static void put_series(struct document *page, const struct history_series_point *point) {
    char name[SIZE_CLASS_TEXT];
    document_cell(page, size_class_format(size_class_of(point->speed.shape), name));
}

/* When, of which kernels, and by how much. */
static void put_changes(struct document *page, const struct history_series_set *set) {
    static const struct document_column columns[] = {
        {.name = "last run before", .unbroken = true, .key = "entry_before"},
        OF(entry.name, "first run after", TEXT, .unbroken = true, .key = "entry"),
        {.name = "kernels", .unbroken = true},
        SERIES_COLUMNS,
        OF(before, "before", NUMBER, .digits = 4),
        OF(after, "after", NUMBER, .digits = 4,
           .unrecorded = DOCUMENT_IN(history_series_point, speed.unrecorded)),
        {.name = "change %", .type = DOCUMENT_SPEEDUP, .key = "change"},
    };
    const struct history_series_point *largest;
    char commits[HISTORY_SERIES_COMMITS];
    size_t slower;
    document_section(page, 2, "changes", "What changed when");
    if (told_changes(set, &slower, &largest) == 0)
        document_paragraph(page, "No series has changed its level.");
    DOCUMENT_TABLE(page, "changes", NULL, columns);
    for (size_t i = 0; i < set->count; i++)
        for (size_t p = 0; p < set->list[i].count; p++) {
            const struct history_series_point *point = &set->list[i].points[p];
            if (isnan(point->before))
                continue;
            document_row_of(page, point);
            document_cell(page, point[-1].entry.name);
            document_cell(page, history_series_commits(point, commits));
            put_series(page, point);
            document_number(page, point->after / point->before - 1);
        }
    unrecorded_explain(page);
}

static void put_newest(struct document *page, const struct history_series_set *set) {
    static const struct document_column columns[] = {
        SERIES_COLUMNS,
        {.name = "runs", .type = DOCUMENT_COUNT},
        OF(entry.name, "newest", TEXT, .unbroken = true),
        OF(ratio.ratio, "ratio", RATIO, .digits = 4,
           .unrecorded = DOCUMENT_IN(history_series_point, speed.unrecorded)),
        {.name = "since the run before %", .type = DOCUMENT_SPEEDUP, .key = "since"},
    };
    document_section(page, 2, "newest", "The newest run of each shape");
    DOCUMENT_TABLE(page, "newest", NULL, columns);
    for (size_t i = 0; i < set->count; i++) {
        const struct history_series *series = &set->list[i];
        const struct history_series_point *last = &series->points[series->count - 1];
        document_row_of(page, last);
        put_series(page, last);
        document_count(page, series->count);
        document_number(page, series->count > 1 ? newest(series, 0) / newest(series, 1) - 1 : NAN);
    }
    unrecorded_explain(page);
}

struct document *store_page_changes(const struct history_series_set *set) {
    struct document *page = document_new("History of a store");
    put_verdict(page, set);
    document_paragraph(page, "Ratios are the time of the library / the time of the kernel: above 1 "
                             "the kernel is faster.");
    put_classes(page, set);
    put_changes(page, set);
    put_newest(page, set);
    return page;
}
