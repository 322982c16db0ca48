/* What `gemmgate tune` says of a run that it has made: by shape the first suggestion of a library's
 * heuristic, what autotuning chooses, and where it was made with --exhaustive the best that a
 * search has found. */
#ifndef REPORTS_REPORT_TUNED_H
#define REPORTS_REPORT_TUNED_H

#include "reports/page/document.h"

/* Reads the run, writes its tune.csv, tune.md and tune.json, and makes the page, which is the
 * caller's to free. Of each the faster layout, chosen by a round that does not count. Gains
 * are ratios of times, above 1 where the later choice is faster. 0, or -1 after error(). */
int tuned_make(const char *run, struct document **page);

#endif
