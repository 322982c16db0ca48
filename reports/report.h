/* A run directory to RUN/report/: tables, figures, report.md. */
#ifndef REPORTS_REPORT_H
#define REPORTS_REPORT_H

/* Writes table1.csv, table2.csv, refused.csv, the figures and report.md, and prints the path of
 * report.md and Table 1 in short to stdout. Without gnuplot all but the pictures is made. Returns
 * an exit status (bench/error.h). */
int report_make(const char *run);

#endif
