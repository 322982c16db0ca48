/* Pages of a run: RUN/report/ with tables, figures, report.md and report.html. */
#ifndef REPORTS_REPORT_REPORT_H
#define REPORTS_REPORT_REPORT_H

#include "bench/base/child.h"
#include "reports/query/query.h"

struct report_call {
    const char *const *runs; /* the run, and others of the same plan (agree.h) */
    size_t count;            /* of them, 1 at least */
    const char *claims_file; /* what others say (claims.h); NULL: nothing */
    const char *published;   /* a run of what others have published or measured of the same kernels
                               * (published.h); NULL: none */
    const char *sqlite; /* the file that the database (query.h) of all runs goes to; NULL: none */
};

/* Writes report.json, which has the facts and tables of the page, table1.csv, shapes.csv, refused.csv
 * and deviation.csv, which are four of these tables, the figures, report.md and report.html, and prints the paths of the two and Table 1 in short to stdout. Without gnuplot all but the
 * pictures is made. Returns an exit status (bench/base/error.h). */
int report_make(const struct report_call *call);

/* Writes NAME.gp and NAME.dat into the folder and starts a gnuplot on them, for every candidate and lens
 * that has a reference library, of the run that the database has loaded:
 *   figure1-CANDIDATE  the mean ratio to each main baseline with its interval
 *   figure3-CANDIDATE  ratio to the reference library against log2(M*N*K)
 * -LENS is appended to the names of all lenses but call. Adds them to the table `figures`. Returns what
 * plot_start returns, for which plot_wait waits. */
int figures_make(const char *folder, sqlite3 *db, const char *run, struct child *gnuplot);

#endif
