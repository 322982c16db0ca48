/* `gemmgate compare` of two runs of which one is imported. */
#ifndef REPORTS_GATE_COMPARE_IMPORTED_H
#define REPORTS_GATE_COMPARE_IMPORTED_H

#include <stdbool.h>

#include "reports/run/opened.h"

/* Compares the opened runs by their times, writes compare.csv, .md and .html to the folder (NULL:
 * none), and prints a page, or JSON. Nothing is judged: there are no intervals. Returns an exit status:
 * EXIT_NOT_COMPARABLE for runs of other elements or sums, or without a shape and lens that both have. */
int compare_imported(struct rundir *now, struct rundir *before, const char *folder, bool json);

#endif
