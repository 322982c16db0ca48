/* A figure of ratios with their intervals, for pages that compare two releases. */
#ifndef REPORTS_PAGE_RATIO_FIGURE_H
#define REPORTS_PAGE_RATIO_FIGURE_H

#include <stddef.h>

#include "timing/verdict.h"

/* Time before over time now. */
struct ratio_point {
    char label[96], lens[64]; /* what it is of, and by what it was timed */
    double ratio, low, high;  /* the ends of the interval are NaN where there is none */
    double margin;            /* within which it counts as the same, as a share; NaN: none */
    double size;              /* log2(M*N*K) */
    enum verdict verdict; /* has a form and a colour of its own; what shows nothing is undecided */
};

/* Draws FOLDER/NAME.png and NAME.svg: a line a point where they are few, in the order that they
 * have, so narrow that a phone shows it whole; many by size. Points without a ratio are left out.
 * Returns 1, 0 where no point has a ratio or there is no gnuplot, or -1 after error(). */
int ratio_figure(const char *folder, const char *name, const char *title,
                 const struct ratio_point *points, size_t count);

#endif
