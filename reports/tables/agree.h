/* How far runs of one plan agree, as their intervals say they should. */
#ifndef REPORTS_TABLES_AGREE_H
#define REPORTS_TABLES_AGREE_H

#include <stddef.h>

#include "reports/page/document.h"
#include "reports/run/opened.h"

/* What follows is asked of runs that agree_read has read.
 *
 * A page with a line for each mode and lens, of all sizes and of each size class: every row of one
 * run beside the same row of every other. Rows without an interval are left out; rows that one
 * run alone has are counted. The caller frees. */
struct document *agree_page(const struct rundir *runs, size_t count);

/* The same in a page that there is. */
void agree_fill(struct document *page, const struct rundir *runs, size_t count);

/* A note on the page for each run of which it is not known that its files are as they were measured. */
void agree_unverified(struct document *page, const struct rundir *runs, size_t count);

/* The share of rows of a mode and lens, *pairs of them, on which two of the runs agree; NaN for
 * none. */
double agree_share(const struct rundir *runs, size_t count, const char *mode, const char *lens,
                   size_t *pairs);

/* Reads the rows of runs that can agree: of one plan but for seed and device, of one kind of machine (the
 * name of GPU and CPU), with a row that has an interval in two of them. Else it says through error()
 * which field differs, and how. Returns an exit status. */
int agree_read(struct rundir *runs, size_t count);

/* The same of runs whose machines may be of several kinds: *alike of them, which it puts first, are of
 * the first run's kind, and can agree where there is more than one. */
int agree_read_devices(struct rundir *runs, size_t count, size_t *alike);

#endif
