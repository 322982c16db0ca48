/* The summary line: a kernel set against one library over shapes, with its mean ratio and the intervals of
 * that, shapes by verdict, the paper's mean, refused kernels and wins. Whatever sums up rows makes its
 * lines here, and shows them by the columns of `shown_lines` (reports/query/views.sql). */
#ifndef REPORTS_TABLES_LINES_H
#define REPORTS_TABLES_LINES_H

#include "reports/query/query.h"

/* Adds the lines of the run's rows `summed` to the table `lines`, by add_lines.sql. `entries` is a view of the
 * table `ratios`, or what a caller has put before it: a temporary view of the same columns. A line of
 * several shapes has its intervals from the pairs of its rows: those of `now` or, of two runs, `now`
 * over `before` (NULL: of one run alone). */
void lines_add(sqlite3 *db, const char *run, const struct pairs *now, const struct pairs *before);

/* The lines of the run's ratios, which are loaded and are these rows'. 0, or -1 after error(). */
int lines_make(sqlite3 *db, const char *run, const struct rows *rows);

#endif
