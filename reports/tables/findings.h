/* The section of report.md that sums up what the audits found in kernels. */
#ifndef REPORTS_TABLES_FINDINGS_H
#define REPORTS_TABLES_FINDINGS_H

#include <stdio.h>

#include "reports/page/markdown.h"

/* Nothing where nothing was found. Failures stay in ferror(out). */
void findings_write(FILE *out, const struct report *report);

#endif
