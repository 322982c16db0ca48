/* What the intervals of a run's ratios hold: other processes, or only what one process shows. */
#ifndef REPORTS_TABLES_INTERVALS_H
#define REPORTS_TABLES_INTERVALS_H

#include <stdbool.h>

#include "reports/rows/rows.h"

/* The row has an interval, and it is of one round. */
bool intervals_within(const struct ratio_row *row);

/* "95 % interval over rounds", or "... within one process", or of both. */
const char *intervals_words(const struct rows *rows);

#endif
