/* Figures. A figure is two files: NAME.dat has its numbers, NAME.gp its words and then plot.gp, the one
 * script that draws every kind. plot.gp says what each kind wants: which columns in which blocks, and
 * which words. Who makes a figure opens it, sets the words, puts rows into blocks, and draws it.
 *
 * Text is never "enhanced": names hold _ and ^. */
#ifndef REPORTS_PAGE_PLOT_H
#define REPORTS_PAGE_PLOT_H

#include <stddef.h>

#include "bench/base/child.h"
#include "bench/base/files.h"

struct plot {
    struct file script, data;
};

/* Opens FOLDER/NAME.gp and NAME.dat; they are closed by plot_close. 0, or -1 after
 * error(). */
int plot_open(struct plot *plot, const char *folder, const char *name, const char *kind);
int plot_close(struct plot *plot);

/* Starts one gnuplot inside the folder on the NAME.gp of all figures, which makes NAME.png and NAME.svg
 * of each. 1; 0 without figures, or without gnuplot, after a warning: a page is one without pictures,
 * too; or -1 after error(). The caller may work until plot_wait, but change nothing in these files. */
int plot_start(struct child *gnuplot, const char *folder, const char *const *names, size_t count);

/* Waits for it. 1 where all pictures are there; 0 where gnuplot was not started; or -1 after error(),
 * which names the first figure that lacks one. */
int plot_wait(struct child *gnuplot, const char *folder, const char *const *names, size_t count);

/* A variable of the script: a text, which may have several lines, or a number. Of a text, characters that
 * gnuplot would read as its own become '. */
void plot_text(struct plot *plot, const char *variable, const char *text);
void plot_number(struct plot *plot, const char *variable, double number);

/* A line of data: numbers, and a label behind them (NULL: none). A block of them ends with plot_end. */
void plot_row(struct plot *plot, const double *numbers, size_t count, const char *label);
void plot_end(struct plot *plot);

#endif
