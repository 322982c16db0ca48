/* What changed over the promoted runs of a store.
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
#ifndef REPORTS_STORE_HISTORY_H
#define REPORTS_STORE_HISTORY_H

#include "reports/store/store.h"

/* The chance that any change is told where all series that are read are stable; of the series that
 * are said to have changed, at most this share has not (Benjamini & Hochberg). */
#define HISTORY_ALPHA 0.05

struct history_point {
    const struct store_entry *entry;
    struct ratio_row row;
    bool unrecorded;
    double before, after; /* in the first point of a new level: the old level and the new, as
                           * ratios; NaN in all others */
};

struct history_series {
    struct history_point *points;
    size_t count;
};

struct history {
    struct store store;
    struct history_point *points; /* sorted as the series are */
    size_t point_count;
    struct history_series *list;
    size_t count;
};

/* All series against the baseline; NULL: cublas-max, or the first there is. An empty history is an
 * error. 0, or -1 after error(). Either way the caller frees. */
int history_read(const char *store, const char *baseline, struct history *history);
void history_free(struct history *history);

/* Marks the changes of all series: what history_read does last. */
void history_judge(struct history *history);

/* The page: what changed when, how each size class has changed, and the newest run of each series.
 * folder gets history.html with its figure; NULL: none. Prints the page, or JSON, to stdout. Returns
 * an exit status. */
int history_show(const char *store, const char *baseline, const char *folder, bool json);

#endif
