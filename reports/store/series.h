/* The promoted runs of a store as series over time, with the changes of their level. */
#ifndef REPORTS_STORE_SERIES_H
#define REPORTS_STORE_SERIES_H

#include "reports/store/store.h"
#include "timing/stats.h"

/* Fewest runs of a level, and the chance of a change that is none. */
#define SERIES_LEAST 3
#define SERIES_ALPHA 0.01

/* Of fewer runs than this even the clearest step, in their middle, is one of so few orders that
 * chance gives it too often: 2 / C(10, 5) is 0.008, and there are two shapes of a change. */
#define SERIES_FEWEST 11

/* t_reference / t_candidate over the rounds, with Student's 95 % interval (infinite ends: one
 * round). */
struct stats_interval series_ratio(const struct level *level);

struct series_point {
    struct store_entry entry;
    struct level level;
    struct stats_interval ratio;
    /* Set in the first point of a new level: the levels before and after, as ratios. */
    double before, after;
};

/* One kernel against one library, on machines of one fingerprint, in one mode and lens. */
struct series {
    const struct series_point *points; /* oldest promotion first */
    size_t count;
};

struct series_set {
    struct series_point *points;
    struct series *list;
    size_t count;
};

/* All series of the shape against the baseline; NULL: cublas-max, or the first there is. An empty
 * set is an error. 0, or -1 after error() with nothing to free. */
int series_read(const char *store, struct shape shape, const char *baseline,
                struct series_set *set);
void series_set_free(struct series_set *set);

/* Geometric mean of the points' ratios from `first` up to `end`. */
double series_level(const struct series *series, size_t first, size_t end);

/* The first point after `first` that begins a new level, or count. */
size_t series_end(const struct series *series, size_t first);

/* Lowest and highest end of all intervals. */
void series_range(const struct series *series, double *low, double *high);

#endif
