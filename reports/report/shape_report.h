/* One shape of a run, seen close: RUN/report/MxNxK.html. */
#ifndef REPORTS_REPORT_SHAPE_REPORT_H
#define REPORTS_REPORT_SHAPE_REPORT_H

/* Writes the page with what is known of the shape ("MxNxK"): of each kernel under test what became
 * of it, the times of all arms by mode and lens with their ratios, every sample as a strip, what
 * the audits found. Prints its path and its text to stdout. A shape that the run does not have is
 * refused. Without gnuplot all but the strips is made. Returns an exit status. */
int shape_report_make(const char *run, const char *shape);

#endif
