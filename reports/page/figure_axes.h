/* What all figures share: colours, terminals, and the axis of ratios. */
#ifndef REPORTS_PAGE_FIGURE_AXES_H
#define REPORTS_PAGE_FIGURE_AXES_H

#include <stdio.h>

/* A colour means one thing in all figures. They are of Okabe & Ito's palette, which colour-blind
 * readers can tell apart. Grey is for what is not data, dark grey for medians and intervals. */
#define FIGURE_CANDIDATE "#0072B2"
#define FIGURE_LIBRARY "#E69F00"
#define FIGURE_GREY "#404040"
#define FIGURE_DARK "#202020"

struct figure_range {
    double low, high;
};

/* Runs gnuplot on NAME.gp inside the folder, which makes NAME.png and NAME.svg. 0, or -1 after
 * error(). */
int figure_draw_both(const char *folder, const char *name);

/* Opens the loop over the two kinds of picture. */
void figure_put_terminals(FILE *out, const char *name);

void figure_widen(struct figure_range *range, double value);

/* A logarithmic axis of ratios, "x" or "y", with 1 in its middle: as far up as down is as much
 * faster as slower. */
void figure_put_ratio_axis(FILE *out, const char *axis, struct figure_range range);

#endif
