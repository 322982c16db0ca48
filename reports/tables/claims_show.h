/* The section of report.md that sets what others say beside what was measured. */
#ifndef REPORTS_TABLES_CLAIMS_SHOW_H
#define REPORTS_TABLES_CLAIMS_SHOW_H

#include <stdio.h>

#include "reports/page/markdown.h"

/* Nothing where no claims were given. Failures stay in ferror(out). */
void claims_show(FILE *out, const struct report *report);

#endif
