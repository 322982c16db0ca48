/* Kernels that one of two releases has and that are compared with nothing, each once a shape. */
#ifndef REPORTS_COMPARE_ABSENT_H
#define REPORTS_COMPARE_ABSENT_H

#include "reports/compare/comparison.h"
#include "reports/run/opened.h"

/* Notes in the comparison of one run those that only its earlier release has (gone), those that only
 * the new one has (added), and those whose earlier kernel did not pass (earlier refused, ...). */
void absent_paired(const struct rundir *run, struct comparison *comparison);

/* The same of two runs, of those with a speed against the baseline. Of the others only their number
 * is kept: only_old and only_new. */
void absent_crossed(const struct rundir *old, const struct rundir *new_, const char *baseline,
                    struct comparison *comparison);

#endif
