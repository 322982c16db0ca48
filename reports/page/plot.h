/* Figures. What is drawn is numbers in NAME.dat, and words and axes at the top of NAME.gp; plot.gp,
 * which ends every script, has the plots of each kind. Who makes a figure opens it, puts rows into
 * blocks, says what its kind reads, and closes it:
 *
 *     kind        blocks                                panels             further
 *     libraries   a mode                                a mode             ticks of y
 *     sizes       two a mode: shapes, bins              a mode             plot_size_axis
 *     list        one                                   none               margin, verdicts, ticks
 *     cloud       one                                   none               margin, verdicts
 *
 * Text is never "enhanced": names hold _ and ^. */
#ifndef REPORTS_PAGE_PLOT_H
#define REPORTS_PAGE_PLOT_H

#include <stdbool.h>
#include <stddef.h>

#include "bench/base/files.h"

struct plot {
    struct file script, data;
    size_t rows, panels; /* of the block; of the figure */
    bool ticks;          /* the y axis has ticks of its own */
};

/* Opens FOLDER/NAME.gp and NAME.dat; they are closed or abandoned, once. 0, or -1 after error(). */
int plot_open(struct plot *plot, const char *folder, const char *name, const char *kind);
int plot_close(struct plot *plot);
void plot_abandon(struct plot *plot);

/* Runs gnuplot on NAME.gp inside the folder, which makes NAME.png and NAME.svg. 1; 0 without
 * gnuplot, of which the first call warns: a page is one without pictures, too; or -1 after error(). */
int plot_draw(const char *folder, const char *name);

/* 1200 by 700 pixels with letters of 12 points where nothing else is said. */
void plot_size(struct plot *plot, unsigned width, unsigned height, unsigned font);

/* A line of data; a block of them ends with plot_end. */
void plot_row(struct plot *plot, const char *format, ...) __attribute__((format(printf, 2, 3)));
void plot_end(struct plot *plot);

/* A line of the script; in double quotes, where gnuplot would read some characters as its own, the
 * text stands as plot_quote makes it: these become '. */
void plot_set(struct plot *plot, const char *format, ...) __attribute__((format(printf, 2, 3)));
enum { PLOT_QUOTED = 2048 };
const char *plot_quote(const char *text, char quoted[PLOT_QUOTED]);

/* The title, and below it more ("": nothing), broken into lines that fit the picture. */
void plot_title(struct plot *plot, const char *title, const char *below);

/* The next panel, or what else has words of its own, with so many points: fewer than PLOT_FEW are
 * drawn larger, and with their intervals. */
enum { PLOT_FEW = 200 };
void plot_panel(struct plot *plot, const char *words, size_t points);

/* The words at a place of the y axis. */
void plot_tick(struct plot *plot, const char *words, double at);

struct plot_range {
    double low, high;
};
void plot_widen(struct plot_range *range, double value);

/* What the number at a tick takes of a wide figure's x axis. */
#define PLOT_LABEL 0.1

/* A logarithmic axis of ratios, 'x' or 'y', with 1 in its middle: as far up as down is as much
 * faster as slower. Ticks stand so far apart that the number at one, which takes that share of the
 * axis (0: numbers stand above each other), has room. */
void plot_ratio_axis(struct plot *plot, char axis, struct plot_range range, double label);

/* The x axis of log2(M*N*K). */
void plot_size_axis(struct plot *plot, struct plot_range range, const char *more);

/* One shape: x = log2(M*N*K). */
struct plot_point {
    double x, y;
};

/* Ends a block of shapes with the block of their bins, one wide: middle, lower quartile, median,
 * upper quartile, shapes. Sorts the points. */
void plot_bins(struct plot *plot, struct plot_point *points, size_t count);

#endif
