/* Figures 1 and 3: gnuplot scripts and their data, rendered to PNG and SVG. */
#ifndef REPORTS_REPORT_FIGURES_H
#define REPORTS_REPORT_FIGURES_H

#include "bench/base/child.h"
#include "reports/query/query.h"

/* Writes NAME.gp and NAME.dat into the folder and starts a gnuplot on them, for every candidate and lens
 * that has a reference library, of the run that the database has loaded:
 *   figure1-CANDIDATE  the mean ratio to each main baseline with its interval
 *   figure3-CANDIDATE  ratio to the reference library against log2(M*N*K)
 * -LENS is appended to the names of all lenses but call. Adds them to the table `figures`; they count as drawn
 * while gnuplot draws them. 0, also where there is no gnuplot and so the scripts alone; or -1 after error(). */
int figures_make(const char *folder, sqlite3 *db, const char *run, struct child *gnuplot);

/* Waits for that gnuplot. 0, or -1 after error() where it did not draw all; no figure counts as drawn then. */
int figures_wait(const char *folder, sqlite3 *db, struct child *gnuplot);

#endif
