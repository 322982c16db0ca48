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

#include <stdbool.h>
#include <stddef.h>

#include "reports/query/query.h"
#include "timing/changes.h"

/* The chance that any change is told where all series that are read are stable; of the series that
 * are said to have changed, at most this share has not (Benjamini & Hochberg). */
#define HISTORY_ALPHA 0.05

/* A point, as the judge sees it. */
struct history_point {
    size_t series; /* a number; points of a series stand together */
    struct changes_value value;
    double before, after; /* in the first point of a new level: the old level and the new, as
                           * ratios; NaN in all others */
};

/* Marks the changes of all series. */
void history_judge(struct history_point *points, size_t count);

/* Makes the tables `series` (history_series.sql) and `levels`, whose row of the number `at` has what
 * the judge says of a point, from `pairs` and `entries`. baseline NULL: each series is
 * against cublas-max, or the first library that it has. Returns how many points there are. */
size_t history_choose(sqlite3 *db, const char *baseline);

/* Fills all of them. An empty history is an error. 0, or -1 after error(). */
int history_read(const char *store, const char *baseline, sqlite3 *db);

/* The page: what changed when, how each size class has changed, and the newest run of each series,
 * to stdout as text or JSON; folder gets history.html, too (NULL: none). Returns an exit status. */
int history_show(const char *store, const char *baseline, const char *folder, bool json);

#endif
