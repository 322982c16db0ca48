/* X-max: of two baselines X-nn and X-tn the faster layout of a shape. A layout that was chosen
 * because it was fast in some blocks is, by chance, faster in these than it is: estimates would be
 * biased against the kernel under test. So it is chosen by other blocks than it is estimated by.
 * Pure: no files. */
#ifndef REPORTS_ROWS_LAYOUTS_H
#define REPORTS_ROWS_LAYOUTS_H

#include <stddef.h>

#include "reports/rows/samples.h"

struct layouts_max {
    char name[RUNDIR_NAME]; /* X-max */
    size_t nn, tn, column;
    size_t parts, nn_parts; /* how many there are, and in how many nn is taken */
};

struct layouts {
    struct samples samples;
    struct layouts_max list[SAMPLES_COLUMNS / 2];
    size_t count;
};

/* A copy of the samples with a column more for each X-max. The parts are the rounds; of one round,
 * the even and the odd blocks. What is common to a process is in all its blocks, so that halves of
 * blocks are second best. A part has the times of the layout with the lower median, over the other
 * parts' blocks, of ln(t / t of the other layout); nn where that does not tell. 0, or -1 after
 * error(). */
int layouts_add(const struct samples *from, struct layouts *layouts);
void layouts_free(struct layouts *layouts);

/* Which layout it is, in words; NULL where the column is none of the list. Returns text. */
const char *layouts_say(const struct layouts *layouts, size_t column, char text[RUNDIR_NAME]);

#endif
