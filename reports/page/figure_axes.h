/* What all figures share: their files, colours, terminals, and the axis of ratios. */
#ifndef REPORTS_PAGE_FIGURE_AXES_H
#define REPORTS_PAGE_FIGURE_AXES_H

#include <stdio.h>

#include "bench/base/files.h"

/* A colour means one thing in all figures. They are of Okabe & Ito's palette, which colour-blind
 * readers can tell apart. Grey is for what is not data, dark grey for medians and intervals,
 * a pale one for grids and margins. */
#define FIGURE_CANDIDATE "#0072B2"
#define FIGURE_LIBRARY "#E69F00"
#define FIGURE_GREY "#404040"
#define FIGURE_DARK "#202020"
#define FIGURE_PALE "#d8d8d8"

struct figure_range {
    double low, high;
};

/* NAME.gp and NAME.dat of a figure, open at once. After figure_sheets_open they are committed or
 * abandoned, once. 0, or -1 after error(). */
struct figure_sheets {
    struct file script, data;
};
int figure_sheets_open(struct figure_sheets *sheets, const char *folder, const char *name);
int figure_sheets_commit(struct figure_sheets *sheets);
void figure_sheets_abandon(struct figure_sheets *sheets);

/* Runs gnuplot on NAME.gp inside the folder, which makes NAME.png and NAME.svg. 0, or -1 after
 * error(). */
int figure_draw_both(const char *folder, const char *name);

/* Opens the loop over the two kinds of picture, 1200 by 700 pixels or of other sizes. */
void figure_put_terminals(FILE *out, const char *name);
void figure_put_sized(FILE *out, const char *name, unsigned width, unsigned height, unsigned font);

void figure_widen(struct figure_range *range, double value);

/* What the number at a tick takes of a wide figure's x axis. */
#define FIGURE_LABEL 0.1

/* A logarithmic axis of ratios, "x" or "y", with 1 in its middle: as far up as down is as much
 * faster as slower. Ticks stand so far apart that the number at one, which takes that share of the
 * axis (0: numbers stand above each other), has room. */
void figure_put_ratio_axis(FILE *out, const char *axis, struct figure_range range, double label);

#endif
