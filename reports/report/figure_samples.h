/* Every sample of a unit in a mode by a lens as a strip: a row an arm. */
#ifndef REPORTS_REPORT_FIGURE_SAMPLES_H
#define REPORTS_REPORT_FIGURE_SAMPLES_H

#include <stddef.h>

#include "reports/sections/sections.h"

/* Draws folder/figure->name.png and .svg from the samples of a unit of the figure's candidate. The
 * rows' times say which columns are arms, and in which order. Sets figure->drawn. 0, or -1 after
 * error(), which a missing gnuplot is too. */
int figure_samples(const char *folder, struct figure *figure, const struct rows *rows,
                   const struct samples *samples);

#endif
