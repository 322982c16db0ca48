#include "reports/tables/lens_conflicts.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "bench/base/error.h"
#include "bench/base/words.h"
#include "reports/tables/sections.h"

static int compare_names(const void *left, const void *right) {
    return words_compare(words_lenses, *(const char *const *)left, *(const char *const *)right);
}

static size_t index_of(const char *lens, const char *const *names, size_t count) {
    size_t i = 0;
    while (i < count && strcmp(names[i], lens) != 0)
        i++;
    return i;
}

size_t lens_conflicts_list(const struct rows *rows, const char *names[LENS_CONFLICTS_MOST]) {
    size_t count = 0;
    for (size_t i = 0; i < rows->ratio_count; i++) {
        const char *lens = rows->ratios[i].lens;
        if (index_of(lens, names, count) == count && count < LENS_CONFLICTS_MOST)
            names[count++] = lens;
    }
    qsort(names, count, sizeof *names, compare_names);
    return count;
}

static int compare_units(const struct ratio_row *a, const struct ratio_row *b) {
    int order = shape_compare(a->shape, b->shape);
    if (order == 0)
        order = strcmp(a->candidate, b->candidate);
    return order ? order : words_compare(words_modes, a->mode, b->mode);
}

/* Equal for rows that differ by lens alone. */
static int compare_groups(const struct ratio_row *a, const struct ratio_row *b) {
    int order = compare_units(a, b);
    return order ? order : tables_baseline_compare(a->baseline, b->baseline);
}

static int compare_rows(const void *left, const void *right) {
    return compare_groups(*(const struct ratio_row *const *)left,
                          *(const struct ratio_row *const *)right);
}

static const struct ratio_row *first_row(const struct lens_conflict *d) {
    size_t i = 0;
    while (!d->by_lens[i])
        i++;
    return d->by_lens[i];
}

static int compare_sizes(const void *left, const void *right) {
    const struct lens_conflict *a = left, *b = right;
    int order = (a->size < b->size) - (a->size > b->size);
    return order ? order : compare_groups(first_row(a), first_row(b));
}

/* NaN unless one row is faster and another slower. */
static double disagreement_of(const struct ratio_row *const *rows, size_t count) {
    double faster = NAN, slower = NAN;
    for (size_t i = 0; i < count; i++)
        if (strcmp(rows[i]->verdict, "faster") == 0)
            faster = fmax(faster, rows[i]->ratio);
        else if (strcmp(rows[i]->verdict, "slower") == 0)
            slower = fmin(slower, rows[i]->ratio);
    return log(faster / slower);
}

/* Joins what another baseline of the same unit, just before, has shown. */
static void add(struct lens_conflicts *found, const struct lens_conflict *d) {
    struct lens_conflict *last = found->list + found->count - 1;
    if (found->count == 0 || compare_units(first_row(last), first_row(d)) != 0) {
        found->list[found->count++] = *d;
        return;
    }
    const size_t baselines = last->baselines + 1;
    if (d->size > last->size)
        *last = *d;
    last->baselines = baselines;
}

int lens_conflicts_disagree(const struct rows *rows, struct lens_conflicts *found) {
    const char *names[LENS_CONFLICTS_MOST];
    const size_t lenses = lens_conflicts_list(rows, names), count = rows->ratio_count;
    const struct ratio_row **sorted = malloc((count + 1) * sizeof *sorted);
    *found = (struct lens_conflicts){.list = malloc((count + 1) * sizeof *found->list)};
    if (!sorted || !found->list) {
        free(sorted);
        free(found->list);
        *found = (struct lens_conflicts){0};
        return error("no memory to compare %zu ratios", count);
    }
    for (size_t i = 0; i < count; i++)
        sorted[i] = &rows->ratios[i];
    qsort(sorted, count, sizeof *sorted, compare_rows);
    for (size_t first = 0, end, last_compared = count; first < count; first = end) {
        for (end = first + 1; end < count && compare_groups(sorted[first], sorted[end]) == 0;)
            end++;
        if (end - first > 1) {
            found->compared +=
                last_compared == count || compare_units(sorted[last_compared], sorted[first]) != 0;
            last_compared = first;
        }
        struct lens_conflict d = {.size = disagreement_of(sorted + first, end - first),
                                  .baselines = 1};
        if (isnan(d.size))
            continue;
        for (size_t i = first; i < end; i++) {
            size_t lens = index_of(sorted[i]->lens, names, lenses);
            if (lens < lenses)
                d.by_lens[lens] = sorted[i];
        }
        add(found, &d);
    }
    qsort(found->list, found->count, sizeof *found->list, compare_sizes);
    free(sorted);
    return 0;
}

static bool has_verdict(const struct ratio_row *row, const char *verdict) {
    return row && strcmp(row->verdict, verdict) == 0;
}

size_t lens_conflicts_count(const struct lens_conflicts *found, size_t faster, size_t slower) {
    size_t count = 0;
    for (size_t i = 0; i < found->count; i++)
        count += has_verdict(found->list[i].by_lens[faster], "faster") &&
                 has_verdict(found->list[i].by_lens[slower], "slower");
    return count;
}

/* Lines shown; a lens that is wrong everywhere would list every shape. */
enum { SHOWN_MARKDOWN = 50, SHOWN_HTML = 500 };

static void add_conflict(struct document *page, const struct lens_conflict *d, size_t lenses) {
    const struct ratio_row *any = first_row(d);
    char shape[SHAPE_TEXT];
    document_row(page);
    document_cell(page, shape_format(any->shape, shape));
    document_cell(page, any->candidate);
    document_cell(page, any->mode);
    document_cell(page, any->baseline);
    for (size_t i = 0; i < lenses; i++) {
        const struct ratio_row *row = d->by_lens[i];
        if (!row) {
            document_empty(page, "not timed by this lens");
            continue;
        }
        document_ratio(page, row->ratio, row->ci_low, row->ci_high);
        document_mood(page, sections_mood(row->verdict));
    }
    document_count(page, d->baselines);
}

static void add_pairs(struct document *page, const struct lens_conflicts *found,
                      const char *const *names, size_t lenses) {
    for (size_t i = 0; i < lenses; i++)
        for (size_t j = 0; j < lenses; j++) {
            const size_t count = lens_conflicts_count(found, i, j);
            if (count)
                document_item(page, "%zu faster by `%s`, slower by `%s`", count, names[i],
                              names[j]);
        }
}

static void add_conflicts(struct document *page, const struct lens_conflicts *found,
                          const char *const *names, size_t lenses) {
    static const char *const texts[] = {"shape", "candidate", "mode", "baseline"};
    document_table(page, "lens_conflicts",
                   "Ratio and 95 % interval by each lens, against the baseline where they differ "
                   "most; the last column is the number of baselines where they do");
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        document_column(page, (struct document_column){.name = texts[i], .type = DOCUMENT_TEXT});
    for (size_t i = 0; i < lenses; i++)
        document_column(page, (struct document_column){.name = names[i], .type = DOCUMENT_RATIO});
    document_column(page, (struct document_column){.name = "baselines", .type = DOCUMENT_COUNT});
    for (size_t i = 0; i < found->count; i++)
        add_conflict(page, &found->list[i], lenses);
    document_fold(page, false, "The shapes, those that differ most first");
    document_most(page, DOCUMENT_MARKDOWN, SHOWN_MARKDOWN);
    document_most(page, DOCUMENT_HTML, SHOWN_HTML);
}

void section_conflicts(struct document *page, const struct report *report) {
    const struct lens_conflicts *found = report->disagreements;
    const char *names[LENS_CONFLICTS_MOST];
    const size_t lenses = lens_conflicts_list(report->rows, names);
    if (found->compared == 0)
        document_only(page, DOCUMENT_HTML);
    document_section(page, 2, NULL, "Where lenses disagree");
    if (found->compared == 0) {
        document_paragraph(page, "No shape was timed by two lenses, so none can disagree.");
        return;
    }
    document_paragraph(page,
                       "Of %zu shapes with a candidate and a mode, %zu are, against one and the "
                       "same baseline, faster by one lens and slower by another%s",
                       found->compared, found->count, found->count ? ":" : ".");
    if (found->count == 0)
        return;
    add_pairs(page, found, names, lenses);
    add_conflicts(page, found, names, lenses);
}
