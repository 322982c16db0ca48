/* RUN/report/report.md, the page a person reads. */
#ifndef REPORTS_PAGE_MARKDOWN_H
#define REPORTS_PAGE_MARKDOWN_H

#include <stddef.h>
#include <stdio.h>

#include "reports/page/figures.h"
#include "reports/run/rundir.h"
#include "reports/tables/about.h"
#include "reports/tables/claims.h"
#include "reports/tables/controls.h"
#include "reports/tables/lens_conflicts.h"
#include "reports/tables/profile.h"
#include "reports/tables/published.h"
#include "reports/tables/tables.h"

struct report {
    const struct about *about;
    const struct rows *rows;
    const struct table *table1, *table2;
    enum controls_verdict controls;
    const char *why; /* controls failed */
    const struct lens_conflicts *disagreements;
    const struct figure *figures;
    size_t figure_count;
    const struct profile *profile; /* NULL: not looked for */
    const struct published *published;
    const struct claims *claims;
    const char *claims_file; /* NULL: no claims were given */
};

/* Failures stay in ferror(out). */
void markdown_write(FILE *out, const struct report *report);

#define MARKDOWN_NOTHING "–" /* where a number has no value */

/* "+22.1", or an en dash for NaN: how a speedup (0.221) is shown in per cent. Returns text. */
const char *markdown_percent(double speedup, char text[16]);

/* A cell of a table, " NUMBER |", as the format for one double says; an en dash for NaN. */
void markdown_cell(FILE *out, const char *format, double value) __attribute__((nonnull));

/* Text from outside, as it is: nothing in it ends a table cell or starts markup. */
void markdown_text(FILE *out, const char *text);

#endif
