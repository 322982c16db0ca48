/* Every shape of a run. */
#ifndef REPORTS_SECTIONS_SHAPES_H
#define REPORTS_SECTIONS_SHAPES_H

#include "reports/page/document.h"
#include "reports/run/rundir.h"

/* The table "shapes", which is shapes.csv: a line a shape, candidate, mode and lens, with median
 * time and the speedup over the main baselines (tables.h), and the outcome of the check. */
void shapes_data(struct document *page, const struct rows *rows);

#endif
