/* What all pictures share: how a script begins, how text stands in it, and how it is run. */
#ifndef REPORTS_PAGE_GNUPLOT_H
#define REPORTS_PAGE_GNUPLOT_H

#include <stdio.h>

/* What stands at the top of every script. Text is never "enhanced": names hold _ and ^. */
extern const char gnuplot_preamble[];

/* In double quotes, where gnuplot reads \n as a newline and runs what is in backquotes: characters
 * that mean something there become '. */
void gnuplot_put_string(FILE *out, const char *text);

/* Runs gnuplot on the script inside the folder; it must leave the pictures (PNG or SVG by their
 * endings; the list ends in NULL) whole. 0, or -1 after error(), also without gnuplot. */
int gnuplot_draw(const char *folder, const char *script, const char *const *pictures);

#endif
