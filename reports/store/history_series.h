/* The promoted runs of a store as series over time, with the changes of their level.
 *
 *     point    one promoted run: the ratio t_reference / t_candidate of one kernel, with its
 *              interval
 *     series   all points of one kernel against one library, on machines of one fingerprint, in one
 *              mode and lens, the oldest promotion first
 *     level    the geometric mean of the ratios of points that follow each other and do not differ
 *              by more than chance. A series begins with one level; a point at which another begins
 *              is a change, found by timing/changes.h
 *
 * So a loss of 1 % that no gate of one merge could show is seen here after some nights. */
#ifndef REPORTS_STORE_HISTORY_SERIES_H
#define REPORTS_STORE_HISTORY_SERIES_H

#include "reports/pairs/estimate.h"
#include "reports/store/store.h"

/* The chance that any change is told where all series that are read are stable; of the series that
 * are said to have changed, at most this share has not (Benjamini & Hochberg). */
#define HISTORY_SERIES_ALPHA 0.05

struct history_series_point {
    struct store_entry entry;
    struct pair speed;
    struct estimate ratio;
    double before, after; /* in the first point of a new level: the old level and the new, as
                           * ratios; NaN in all others */
};

struct history_series {
    const struct history_series_point *points;
    size_t count;
};

struct history_series_set {
    struct history_series_point *points;
    struct history_series *list;
    size_t count;
};

/* All series against the baseline; NULL: cublas-max, or the first there is. An empty set is an error. 0, or -1 after error() with nothing to free. */
int history_series_read(const char *store, const char *baseline, struct history_series_set *set);

/* Marks the changes of all series, which have `count` points together: what history_series_read does
 * last. */
void history_series_judge(struct history_series_set *set, size_t count);
void history_series_set_free(struct history_series_set *set);

/* Of the first point of a new level: the commits of the kernels between which it changed, as git
 * takes them: "1a2b3c4d..5e6f7a8b"; one where they are the same, "-" for what is not known. */
enum { HISTORY_SERIES_COMMITS = 24 };
const char *history_series_commits(const struct history_series_point *point,
                                   char text[HISTORY_SERIES_COMMITS]);

/* The first point after `first` that begins a new level, or count. */
size_t history_series_end(const struct history_series *series, size_t first);

#endif
