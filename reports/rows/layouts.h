/* X-max: of two baselines X-nn and X-tn the layout with the better mean of all visits of a shape. The
 * same visits choose and are counted: of two layouts that are equally fast the luckier one is taken,
 * so that X-max is by 0.4 of the standard error of their ratio faster than it is. Were one visit to
 * choose, and left out, intervals would hold less often: where it is wrong about the layout, nothing
 * in the visits that are left says so. Pure: no files. */
#ifndef REPORTS_ROWS_LAYOUTS_H
#define REPORTS_ROWS_LAYOUTS_H

#include <stdbool.h>
#include <stddef.h>

#include "reports/rows/samples.h"

struct layouts_max {
    char name[RUNDIR_NAME]; /* X-max */
    size_t nn, tn, column;
    bool is_nn; /* it is X-nn */
};

struct layouts {
    struct samples samples;
    struct layouts_max list[SAMPLES_COLUMNS / 2];
    size_t count;
};

/* A copy of the samples with a column more for each X-max: the times of the layout that is faster by
 * derive_ratio over all visits; nn where that does not tell. 0, or -1 after error(). */
int layouts_add(const struct samples *from, struct layouts *layouts);
void layouts_free(struct layouts *layouts);

/* Whether the name is one of X-max. */
bool layouts_is_max(const char *name);

/* Which layout it is, in words; NULL where the column is none of the list. */
const char *layouts_say(const struct layouts *layouts, size_t column);

#endif
