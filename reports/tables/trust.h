/* The section of report.md that tells whether the numbers can be trusted: controls, conditions, and
 * times with something to know about. */
#ifndef REPORTS_TABLES_TRUST_H
#define REPORTS_TABLES_TRUST_H

#include <stdio.h>

#include "reports/page/markdown.h"

/* Failures stay in ferror(out). */
void trust_write(FILE *out, const struct report *report);

/* One line: the verdict of the controls and, where they failed, why. */
void trust_verdict(FILE *out, const struct report *report);

#endif
