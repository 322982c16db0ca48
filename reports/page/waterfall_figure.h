/* A figure of steps from one ratio to another: a bar a step, from the ratio before to the ratio
 * now. */
#ifndef REPORTS_PAGE_WATERFALL_FIGURE_H
#define REPORTS_PAGE_WATERFALL_FIGURE_H

#include <stddef.h>

struct waterfall_step {
    const char *label;
    double ratio;     /* after this step */
    double low, high; /* ends of the interval of the ratio, or after the first step of ratio before
                       * times change; NaN where there is none */
};

/* Draws FOLDER/NAME.png and NAME.svg: ratios on a logarithmic axis about 1, the first bar from 1.
 * All ratios must be above 0. 0, or -1 after error(), which a missing gnuplot is too. */
int waterfall_figure(const char *folder, const char *name, const char *title,
                     const struct waterfall_step *steps, size_t count);

#endif
