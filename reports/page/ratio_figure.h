/* A figure of ratios with their intervals, for pages that compare two releases. */
#ifndef REPORTS_PAGE_RATIO_FIGURE_H
#define REPORTS_PAGE_RATIO_FIGURE_H

#include <stddef.h>

/* Time before over time now. */
struct ratio_point {
    char label[160];
    double ratio, low, high; /* the ends of the interval are NaN where there is none */
    double size;             /* log2(M*N*K) */
    int loud;                /* needs a look */
};

/* Draws FOLDER/NAME.png and NAME.svg: a line a point where they are few, in the order that they
 * have; many by size. Points without a ratio are left out. Returns 1, 0 where no point has a ratio,
 * or -1 after error(), which a missing gnuplot is too. */
int ratio_figure(const char *folder, const char *name, const char *title,
                 const struct ratio_point *points, size_t count);

#endif
