/* Where the lenses of a run contradict each other. Pure: no files. */
#ifndef REPORTS_TABLES_LENS_CONFLICTS_H
#define REPORTS_TABLES_LENS_CONFLICTS_H

#include <stddef.h>

#include "reports/run/rundir.h"

#define LENS_CONFLICTS_MOST 8

/* The lenses that ratios were timed by, in the order of tables. Returns how many. */
size_t lens_conflicts_list(const struct rows *rows, const char *names[LENS_CONFLICTS_MOST]);

/* One shape, candidate and mode that is, against the same baseline, faster by one lens and slower
 * by another. */
struct lens_conflict {
    const struct ratio_row *by_lens[LENS_CONFLICTS_MOST]; /* as listed; NULL where not timed */
    double size; /* ln of the largest ratio of a faster lens over the smallest of a slower one */
    size_t baselines; /* against which lenses disagree; the rows are of the one with the largest */
};

struct lens_conflicts {
    struct lens_conflict *list; /* largest first; rows stay the run's */
    size_t count;
    size_t compared; /* shapes, candidates and modes timed by two lenses or more */
};

/* The caller frees list. */
void lens_conflicts_disagree(const struct rows *rows, struct lens_conflicts *found);

/* How many of them are faster by the one lens and slower by the other, both as listed. */
size_t lens_conflicts_count(const struct lens_conflicts *found, size_t faster, size_t slower);

#endif
