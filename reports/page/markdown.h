/* Cells of Markdown tables that are still written by hand: gate and compare. */
#ifndef REPORTS_PAGE_MARKDOWN_H
#define REPORTS_PAGE_MARKDOWN_H

#include <stdio.h>

#define MARKDOWN_NOTHING "–" /* where a number has no value */

/* "+22.1", or an en dash for NaN: how a speedup (0.221) is shown in per cent. Returns text. */
const char *markdown_percent(double speedup, char text[16]);

/* A cell of a table, " NUMBER |", as the format for one double says; an en dash for NaN. */
void markdown_cell(FILE *out, const char *format, double value) __attribute__((nonnull));

/* Text from outside, as it is: nothing in it ends a table cell or starts markup. */
void markdown_text(FILE *out, const char *text);

#endif
