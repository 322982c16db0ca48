/* Pages of a run: RUN/report/ with tables, figures, report.md and report.html. */
#ifndef REPORTS_REPORT_REPORT_H
#define REPORTS_REPORT_REPORT_H

#include "reports/page/document.h"

struct report_call {
    const char *run;
    const char *claims_file; /* what others say (claims.h); NULL: nothing */
    const char *published;   /* a run of what others have published or measured of the same kernels
                               * (published.h); NULL: none */
    const char *sqlite; /* the file that the database (query.h) of all runs goes to; NULL: none */
    const char *const *again; /* the run, and others of the same plan (agree.h) */
    size_t again_count;       /* 0: the run alone */
};

/* Writes report.json, which has the facts and tables of the page, table1.csv, shapes.csv, refused.csv
 * and deviation.csv, which are four of these tables, the figures, report.md and report.html, and prints the paths of the two and Table 1 in short to stdout. Without gnuplot all but the
 * pictures is made. Returns an exit status (bench/base/error.h). */
int report_make(const struct report_call *call);

#endif
