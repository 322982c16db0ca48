/* X-max: of two baselines X-nn and X-tn the faster layout of a shape. A layout that was chosen
 * because it was fast in some blocks is, by chance, faster in these than it is: estimates would be
 * biased against the kernel under test. So it is chosen once, by blocks that are in no estimate of
 * X-max. Were each visit's layout chosen by the other visits, visits would not be independent: of
 * equal layouts, intervals of four visits would hold in 91 % and of twelve in 88 %. Pure: no files.
 */
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

/* A copy of the samples with a column more for each X-max: the times of the layout with the lower
 * median, over the blocks that choose, of ln(t / t of the other layout); nn where that does not
 * tell. The first visit chooses. Of one or two visits the first quarter of its blocks does, which
 * is second best: what is common to a process is in all its blocks. In blocks that choose, X-max is
 * marked, so that no estimate has them. 0, or -1 after error(). */
int layouts_add(const struct samples *from, struct layouts *layouts);
void layouts_free(struct layouts *layouts);

/* Whether the name is one of X-max. */
bool layouts_is_max(const char *name);

/* Which layout it is, in words; NULL where the column is none of the list. */
const char *layouts_say(const struct layouts *layouts, size_t column);

#endif
