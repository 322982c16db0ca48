/* RUN/report/report.md, the page a person reads. */
#ifndef REPORTS_MARKDOWN_H
#define REPORTS_MARKDOWN_H

#include <stddef.h>
#include <stdio.h>

#include "reports/about.h"
#include "reports/figures.h"
#include "reports/rundir.h"
#include "reports/tables.h"

struct report {
    const struct about *about;
    const char *lens;
    const struct rows *rows;
    const struct table *table1, *table2;
    const struct figure *figures;
    size_t figure_count;
};

/* Failures stay in ferror(out). */
void markdown_write(FILE *out, const struct report *report);

/* "+22.1", or an en dash for NaN: how a speedup (0.221) is shown in per cent. Returns text. */
const char *markdown_percent(double speedup, char text[16]);

#endif
