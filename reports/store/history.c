#include "reports/store/history.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bench/base/error.h"
#include "bench/base/need.h"
#include "reports/run/verify.h"
#include "reports/tables/reference.h"
#include "timing/changes.h"
#include "timing/significance.h"

static int compare_series(const struct history_point *a, const struct history_point *b) {
    int order = strcmp(a->entry->run.fingerprint.key, b->entry->run.fingerprint.key);
    order = order ? order : shape_compare(a->row.shape, b->row.shape);
    order = order ? order : strcmp(a->row.candidate, b->row.candidate);
    order = order ? order : strcmp(a->row.mode, b->row.mode);
    return order ? order : strcmp(a->row.lens, b->row.lens);
}

/* Entries stand in the order of their promotion. */
static int compare_points(const void *left, const void *right) {
    const struct history_point *a = left, *b = right;
    int order = compare_series(a, b);
    order = order ? order : strcmp(a->row.baseline, b->row.baseline);
    return order ? order : (a->entry > b->entry) - (a->entry < b->entry);
}

static bool is_wanted(const struct ratio_row *row, const char *baseline) {
    return row->ratio > 0 && isfinite(row->ci_low) &&
           (baseline ? strcmp(row->baseline, baseline) == 0
                     : strcmp(row->baseline, RUNDIR_PREVIOUS) != 0);
}

/* Appends the ratios of the entry's honest kernels. Of its rows only these stay: a store may hold a
 * thousand shapes. */
static int read_entry(struct store_entry *entry, const char *baseline, struct history *history) {
    struct rows *rows = &entry->run.rows;
    if (verify_clean(&entry->run, "; restore it, or promote the run again") < 0 ||
        rundir_read(&entry->run) < 0)
        return -1;
    for (size_t i = 0; i < rows->ratio_count; i++) {
        const struct ratio_row *row = &rows->ratios[i];
        const struct check_row *check =
            rows_check(rows, row->shape, row->candidate, row->candidate);
        if (!is_wanted(row, baseline) || !check || !rows_timed(rows_fate(check)))
            continue;
        history->points = need_more(history->points, history->point_count, sizeof *history->points);
        history->points[history->point_count++] =
            (struct history_point){.entry = entry,
                                   .row = *row,
                                   .unrecorded = rows_unbounded(rows, row),
                                   .before = NAN,
                                   .after = NAN};
    }
    rows_free(rows);
    return 0;
}

/* The reference that stands for the points, all of one series but for theirs. */
static const char *choose(const struct history_point *points, size_t count) {
    const char *best = NULL;
    for (size_t i = 0; i < count; i++)
        if (reference_before(REFERENCE_LINK, points[i].row.baseline, best))
            best = points[i].row.baseline;
    return best;
}

/* Takes the points, sorted, apart into series. */
static void split(struct history *history, const char *baseline) {
    struct history_point *points = history->points;
    const size_t count = history->point_count;
    size_t end;
    history->list = need(count, sizeof *history->list);
    for (size_t first = 0; first < count; first = end) {
        for (end = first; end < count && compare_series(&points[first], &points[end]) == 0;)
            end++;
        const char *reference = baseline ? baseline : choose(points + first, end - first);
        struct history_series *series = &history->list[history->count++];
        for (size_t i = first; i < end; i++)
            if (strcmp(points[i].row.baseline, reference) == 0 && series->count++ == 0)
                series->points = points + i;
    }
}

/* Geometric mean of the points' ratios from `first` up to `end`. */
static double level_of(const struct history_series *series, size_t first, size_t end) {
    double sum = 0;
    for (size_t i = first; i < end; i++)
        sum += log(series->points[i].row.ratio);
    return exp(sum / (double)(end - first));
}

/* ln ratio of each point with its error; values has room for all. */
static void put_values(const struct history_series *series, struct changes_value *values) {
    for (size_t i = 0; i < series->count; i++) {
        const struct ratio_row *row = &series->points[i].row;
        values[i] =
            (struct changes_value){log(row->ratio), {row->variance / row->visits, row->freedom}};
    }
}

static void mark_changes(const struct history_series *series, double chance,
                         struct changes_value *values, size_t *at) {
    put_values(series, values);
    /* A zero before and the count behind make every level lie between two neighbours. */
    const size_t changes = changes_find(values, series->count, chance, at + 1);
    at[0] = 0;
    at[changes + 1] = series->count;
    for (size_t i = 1; i <= changes; i++) {
        series->points[at[i]].before = level_of(series, at[i - 1], at[i]);
        series->points[at[i]].after = level_of(series, at[i], at[i + 1]);
    }
}

void history_judge(struct history *history) {
    const size_t count = history->point_count;
    struct changes_value *values = need(count, sizeof *values);
    double *chances = need(count, sizeof *chances);
    size_t *at = need(count + 2, sizeof *at);
    for (size_t i = 0; i < history->count; i++) {
        put_values(&history->list[i], values);
        chances[i] = changes_chance(values, history->list[i].count);
    }
    const double level = significance_level(chances, history->count, HISTORY_ALPHA);
    for (size_t i = 0; i < history->count; i++)
        mark_changes(&history->list[i], level, values, at);
    free(values);
    free(chances);
    free(at);
}

int history_read(const char *store, const char *baseline, struct history *history) {
    *history = (struct history){0};
    int status = store_open(store, &history->store);
    for (size_t i = 0; i < history->store.count && status == 0; i++)
        status = read_entry(&history->store.list[i], baseline, history);
    if (status < 0)
        return -1;
    if (history->point_count == 0)
        return error(
            "%s: no promoted run has anything%s%s; `gemmgate baseline list --store %s` tells what "
            "there is",
            store, baseline ? " against " : "", baseline ? baseline : "", store);
    qsort(history->points, history->point_count, sizeof *history->points, compare_points);
    split(history, baseline);
    history_judge(history);
    return 0;
}

void history_free(struct history *history) {
    free(history->points);
    free(history->list);
    store_close(&history->store);
    *history = (struct history){0};
}
