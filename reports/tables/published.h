/* A run's speedups beside those of another run, shape by shape: what somebody has published of the
 * same kernels (gemmgate import), or measured elsewhere. Pure. */
#ifndef REPORTS_TABLES_PUBLISHED_H
#define REPORTS_TABLES_PUBLISHED_H

#include <stddef.h>

#include "reports/run/rundir.h"

struct published_pair {
    const struct ratio_row *theirs, *ours; /* of one shape; both have a speedup */
};

/* One candidate by one lens in one mode against one of the main baselines (tables.h). NaN where a
 * number has no value. */
struct published_line {
    const struct ratio_row *of;    /* any of ours: candidate, lens, mode and baseline */
    const struct ratio_row *there; /* any of theirs, whose lens may be another */
    struct published_pair *pairs;  /* in the order of shapes */
    size_t shapes;
    double theirs, ours;                        /* mean speedups */
    double correlation;                         /* of the two over shapes, by rank */
    double quotient;                            /* median of (1 + ours) / (1 + theirs) */
    size_t near;                                /* shapes where that is in 1/1.1 ... 1.1 */
    size_t both_faster, only_theirs, only_ours; /* shapes with a speedup above 0 */
    size_t others;                              /* shapes of theirs alone */
    double others_theirs;                       /* their mean */
};

struct published {
    char where[1024];             /* where the others' numbers are from */
    struct published_line *lines; /* in the order of tables */
    struct published_pair *pairs;
    size_t count;
};

/* Rows belong together by candidate, lens, mode, baseline and shape; where theirs are all of one
 * candidate its name does not matter. Ours by `call` also stand beside theirs by `wait`, and the
 * other way round, where theirs have no rows by the lens of ours. where is filled by the caller.
 * Rows stay the callers', who keep them as long as this is used. */
void published_make(const struct rows *ours, const struct rows *theirs,
                    struct published *published);
void published_free(struct published *published);

#endif
