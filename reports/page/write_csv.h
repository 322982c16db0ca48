/* One table of a document as CSV. */
#ifndef REPORTS_PAGE_WRITE_CSV_H
#define REPORTS_PAGE_WRITE_CSV_H

#include <stdio.h>

#include "reports/page/document.h"

/* The keys of its columns, then its rows, all of them: bare numbers, an empty field where there is
 * none. Ratios and intervals have further columns for their ends. 0, or -1 after error(), also for
 * an id that no table has; what goes wrong with the stream stays in ferror(out). */
int write_csv(FILE *out, const struct document *page, const char *id);

#endif
