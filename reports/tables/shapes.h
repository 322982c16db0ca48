/* shapes.csv: what a run says of every shape, small enough to publish. */
#ifndef REPORTS_TABLES_SHAPES_H
#define REPORTS_TABLES_SHAPES_H

#include "reports/run/rundir.h"

/* Writes folder/shapes.csv: a row for each shape, candidate, mode and lens, in that order, with the
 * candidate's median seconds, then speedup and the ratio's interval against each of tables_main
 * that the run has, then the candidate's outcome. One that was not timed has one row, without mode,
 * lens and numbers. 0, or -1 after error(). */
int shapes_write(const char *folder, const struct rows *rows);

#endif
