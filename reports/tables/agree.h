/* How far runs of one plan agree, as their intervals say they should. */
#ifndef REPORTS_TABLES_AGREE_H
#define REPORTS_TABLES_AGREE_H

#include <stddef.h>

#include "reports/page/document.h"
#include "reports/run/rows.h"

/* A run to be compared. */
struct agree_run {
    const char *name;
    const struct rows *rows;
};

/* A page with a line for each mode and lens, of all sizes and of each size class: every row of one
 * run beside the same row of every other. Rows without an interval, and -max rows, which are copies
 * of others, are left out; rows that one run alone has are counted. The caller frees. NULL without
 * memory. */
struct document *agree_page(const struct agree_run *runs, size_t count);

/* Reads the runs, which must have the same plan but for its seed, and fills *page. Returns an exit
 * status; *page is NULL unless it is EXIT_PASS. */
int agree_make(const char *const *folders, size_t count, struct document **page);

#endif
