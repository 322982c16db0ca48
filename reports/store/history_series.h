/* The promoted runs of a store as series over time, with the changes of their level.
 *
 *     point    one promoted run: the ratio t_reference / t_candidate of one kernel, with its
 * interval series   all points of one kernel against one library, on machines of one fingerprint,
 * in one mode and lens, the oldest promotion first level    the geometric mean of the ratios of
 * points that follow each other and do not differ by more than chance. A series begins with one
 * level; a point at which another begins is a change, found by timing/changes.h
 *
 * So a loss of 1 % that no gate of one merge could show is seen here after some nights. */
#ifndef REPORTS_STORE_HISTORY_SERIES_H
#define REPORTS_STORE_HISTORY_SERIES_H

#include "reports/pairs/estimate.h"
#include "reports/store/store.h"

/* Fewest points of a level, and the chance that a change is told where there is none. */
#define HISTORY_SERIES_LEAST 3
#define HISTORY_SERIES_ALPHA 0.01

/* Of fewer runs than this even the clearest step, in their middle, is one of so few orders that
 * chance gives it too often: 2 / C(10, 5) is 0.008, and there are two shapes of a change. */
#define HISTORY_SERIES_FEWEST 11

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

/* All series of the shape (NULL: of every shape) against the baseline; NULL: cublas-max, or the
 * first there is. An empty set is an error. 0, or -1 after error() with nothing to free. */
int history_series_read(const char *store, const struct shape *shape, const char *baseline,
                        struct history_series_set *set);
void history_series_set_free(struct history_series_set *set);

/* Geometric mean of the points' ratios from `first` up to `end`. */
double history_series_level(const struct history_series *series, size_t first, size_t end);

/* The first point after `first` that begins a new level, or count. */
size_t history_series_end(const struct history_series *series, size_t first);

/* Lowest and highest end of all intervals. */
void history_series_range(const struct history_series *series, double *low, double *high);

#endif
