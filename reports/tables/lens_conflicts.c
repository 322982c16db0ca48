#include "reports/tables/lens_conflicts.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "bench/base/error.h"
#include "bench/base/need.h"
#include "bench/base/words.h"
#include "reports/tables/tables.h"

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

void lens_conflicts_disagree(const struct rows *rows, struct lens_conflicts *found) {
    const char *names[LENS_CONFLICTS_MOST];
    const size_t lenses = lens_conflicts_list(rows, names), count = rows->ratio_count;
    const struct ratio_row **sorted = need(count, sizeof *sorted);
    *found = (struct lens_conflicts){.list = need(count, sizeof *found->list)};
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
