/* Figures, which are answers to queries. A figure is two files: NAME.dat has its numbers, NAME.gp its words
 * and then reports/page/plot.gp, the one script that draws every kind and says what each kind wants: which
 * columns in which blocks, and which words.
 *
 * Text is never "enhanced": names hold _ and ^. */
#ifndef REPORTS_QUERY_PLOT_H
#define REPORTS_QUERY_PLOT_H

#include <sqlite3.h>

#include "bench/base/child.h"

/* Writes FOLDER/NAME.gp and NAME.dat. The columns of `words`, which is at a row, are variables of the
 * script. A row of an answer of `data` (NULL ends the list) is a line: its first column names the block that
 * it is in, and rows of a block follow each other; the others are numbers, and texts. Of the first answer
 * the script has the names of its blocks in mode0, mode1 ..., and how many rows and modes there are. Ends
 * the answers, but not `words`. 0, or -1 after error(). */
int plot_make(const char *folder, const char *name, sqlite3_stmt *words, sqlite3_stmt *const *data);

/* Starts one gnuplot inside the folder on the NAME.gp of each `name` in the table `figures`. It makes NAME.png and
 * NAME.svg of each, and all count as `drawn` while it draws. 1; 0 without figures, or without gnuplot, after a warning:
 * a page is one without pictures, too; or -1 after error(). The caller may work until plot_wait, but change nothing
 * in these files. */
int plot_start(struct child *gnuplot, const char *folder, sqlite3 *db);

/* Waits for it. 1 where all pictures are there; 0 where gnuplot was not started; or -1 after error(),
 * which names the first figure that lacks one. No figure counts as drawn then. */
int plot_wait(struct child *gnuplot, const char *folder, sqlite3 *db);

#endif
