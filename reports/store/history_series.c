#include "reports/store/history_series.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bench/base/error.h"
#include "bench/base/need.h"
#include "reports/tables/reference.h"
#include "timing/changes.h"
#include "timing/significance.h"

static int compare_series(const void *left, const void *right) {
    const struct history_series_point *a = left, *b = right;
    int order = strcmp(a->entry.key, b->entry.key);
    order = order ? order : shape_compare(a->speed.shape, b->speed.shape);
    order = order ? order : strcmp(a->speed.candidate, b->speed.candidate);
    order = order ? order : strcmp(a->speed.mode, b->speed.mode);
    return order ? order : strcmp(a->speed.lens, b->speed.lens);
}

static int compare_points(const void *left, const void *right) {
    const struct history_series_point *a = left, *b = right;
    int order = compare_series(left, right);
    order = order ? order : strcmp(a->speed.reference, b->speed.reference);
    order = order ? order : strcmp(a->entry.promoted, b->entry.promoted);
    return order ? order : strcmp(a->entry.name, b->entry.name);
}

/* Appends the entry's speeds. Only what is against the baseline is kept: a store may hold a thousand
 * shapes. */
static int read_entry(const char *store, const struct store_entry *entry, const char *baseline,
                      struct history_series_point **points, size_t *count) {
    struct fingerprint fingerprint;
    struct pairs speeds = {0};
    if (store_read(store, entry, &speeds, &fingerprint) < 0)
        return -1;
    for (size_t i = 0; i < speeds.count; i++)
        if (!baseline || strcmp(speeds.list[i].reference, baseline) == 0) {
            *points = need_more(*points, *count, sizeof **points);
            (*points)[(*count)++] =
                (struct history_series_point){.entry = *entry,
                                              .speed = speeds.list[i],
                                              .ratio = estimate_pair(&speeds.list[i]),
                                              .before = NAN,
                                              .after = NAN};
        }
    pairs_free(&speeds);
    return 0;
}

static int read_points(const char *store, const char *baseline,
                       struct history_series_point **points, size_t *count) {
    struct store_entry *entries;
    size_t entry_count;
    int status = store_list(store, &entries, &entry_count);
    for (size_t i = 0; i < entry_count && status == 0; i++)
        status = read_entry(store, &entries[i], baseline, points, count);
    free(entries);
    return status;
}

/* The reference that stands for the points, all of one series but for theirs; NULL for none. */
static const char *choose(const struct history_series_point *points, size_t count,
                          const char *baseline) {
    const char *best = NULL;
    for (size_t i = 0; i < count; i++) {
        const char *reference = points[i].speed.reference;
        if (baseline ? strcmp(reference, baseline) == 0
                     : reference_before(REFERENCE_LINK, reference, best))
            best = reference;
    }
    return best;
}

const char *history_series_commits(const struct history_series_point *point,
                                   char text[HISTORY_SERIES_COMMITS]) {
    const char *before = point[-1].entry.kernels, *after = point->entry.kernels;
    if (strcmp(before, after) == 0)
        snprintf(text, HISTORY_SERIES_COMMITS, "%.8s", after);
    else
        snprintf(text, HISTORY_SERIES_COMMITS, "%.8s..%.8s", *before ? before : "-",
                 *after ? after : "-");
    return text;
}

/* Geometric mean of the points' ratios from `first` up to `end`. */
static double level_of(const struct history_series *series, size_t first, size_t end) {
    double sum = 0;
    for (size_t i = first; i < end; i++)
        sum += log(series->points[i].ratio.ratio);
    return exp(sum / (double)(end - first));
}

size_t history_series_end(const struct history_series *series, size_t first) {
    size_t end = first + 1;
    while (end < series->count && isnan(series->points[end].before))
        end++;
    return end;
}

/* ln ratio of each point with its error; values has room for all. */
static void put_values(const struct history_series *series, struct changes_value *values) {
    for (size_t i = 0; i < series->count; i++)
        values[i] = (struct changes_value){log(series->points[i].ratio.ratio),
                                           estimate_error(&series->points[i].speed)};
}

static void mark_changes(struct history_series_point *points, const struct history_series *series,
                         double chance, struct changes_value *values, size_t *at) {
    put_values(series, values);
    /* A zero before and the count behind make every level lie between two neighbours. */
    const size_t changes = changes_find(values, series->count, chance, at + 1);
    at[0] = 0;
    at[changes + 1] = series->count;
    for (size_t i = 1; i <= changes; i++) {
        points[at[i]].before = level_of(series, at[i - 1], at[i]);
        points[at[i]].after = level_of(series, at[i], at[i + 1]);
    }
}

void history_series_judge(struct history_series_set *set, size_t count) {
    struct changes_value *values = need(count, sizeof *values);
    double *chances = need(count, sizeof *chances);
    size_t *at = need(count + 2, sizeof *at);
    for (size_t i = 0; i < set->count; i++) {
        put_values(&set->list[i], values);
        chances[i] = changes_chance(values, set->list[i].count);
    }
    const double level = significance_level(chances, set->count, HISTORY_SERIES_ALPHA);
    for (size_t i = 0; i < set->count; i++) {
        const struct history_series *series = &set->list[i];
        mark_changes(set->points + (series->points - set->points), series, level, values, at);
    }
    free(values);
    free(chances);
    free(at);
}

/* Takes the points, sorted, apart into series. */
static void split(struct history_series_set *set, size_t count, const char *baseline) {
    size_t end;
    for (size_t first = 0; first < count; first = end) {
        end = first;
        while (end < count && compare_series(&set->points[first], &set->points[end]) == 0)
            end++;
        const char *reference = choose(set->points + first, end - first, baseline);
        size_t from = first, to;
        while (reference && strcmp(set->points[from].speed.reference, reference) != 0)
            from++;
        for (to = from; reference && to < end; to++)
            if (strcmp(set->points[to].speed.reference, reference) != 0)
                break;
        if (from == to)
            continue;
        set->list[set->count++] = (struct history_series){set->points + from, to - from};
    }
}

int history_series_read(const char *store, const char *baseline, struct history_series_set *set) {
    size_t count = 0;
    *set = (struct history_series_set){0};
    int status = read_points(store, baseline, &set->points, &count);
    if (status == 0 && count > 0) {
        qsort(set->points, count, sizeof *set->points, compare_points);
        set->list = need(count, sizeof *set->list);
        split(set, count, baseline);
        history_series_judge(set, count);
    }
    if (status == 0 && set->count == 0)
        status =
            error("%s: no promoted run has anything%s%s; `gemmgate baseline list --store %s` tells "
                  "what there is",
                  store, baseline ? " against " : "", baseline ? baseline : "", store);
    if (status < 0)
        history_series_set_free(set);
    return status;
}

void history_series_set_free(struct history_series_set *set) {
    free(set->points);
    free(set->list);
    *set = (struct history_series_set){0};
}
