/* How far runs of one plan agree, as their intervals say they should. */
#ifndef REPORTS_TABLES_AGREE_H
#define REPORTS_TABLES_AGREE_H

#include <stddef.h>

#include "reports/page/document.h"
#include "reports/rows/rows.h"

/* A run to be compared. */
struct agree_run {
    const char *name;
    const struct rows *rows;
};

/* A page with a line for each mode and lens, of all sizes and of each size class: every row of one
 * run beside the same row of every other. Rows without an interval are left out; rows that one
 * run alone has are counted. The caller frees. */
struct document *agree_page(const struct agree_run *runs, size_t count);

/* The same in a page that there is. */
void agree_fill(struct document *page, const struct agree_run *runs, size_t count);

/* The share of rows of a mode and lens, *pairs of them, on which two runs agree; NaN for none. */
double agree_share(const struct agree_run *runs, const char *mode, const char *lens, size_t *pairs);

/* How many rows of one run have an interval in another, too; 0 also without memory. */
size_t agree_common(const struct agree_run *runs, size_t count);

/* Whether two runs can agree: of one plan but for its seed, of one kind of machine (the name of GPU
 * and CPU). Says through error() which field differs, and how. Returns an exit status. */
int agree_check(const char *first, const char *second);

/* Says that they have nothing in common. Returns an exit status. */
int agree_nothing(const char *first, const char *second);

/* Reads the runs, which must pass agree_check, and fills *page. Returns an exit
 * status; *page is NULL unless it is EXIT_PASS. */
int agree_make(const char *const *folders, size_t count, struct document **page);

#endif
