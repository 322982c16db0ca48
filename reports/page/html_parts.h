/* The sections of report.html, each with its h2, in the order of the page. Failures stay in
 * ferror(out). */
#ifndef REPORTS_PAGE_HTML_PARTS_H
#define REPORTS_PAGE_HTML_PARTS_H

#include <stdio.h>

#include "reports/page/html.h"
#include "reports/page/html_units.h"

/* html_style.c */
extern const char html_style[], html_script[];

/* Opens a section; ends the one before. `id` is its anchor. */
void html_section(FILE *out, const char *id, const char *title);

void html_tables(FILE *out, const struct report *report);
int html_figures(FILE *out, const struct html_page *page); /* 0, or -1 after error() */
void html_heat(FILE *out, const struct html_units *units);
void html_shapes(FILE *out, const struct html_units *units);
void html_lenses(FILE *out, const struct report *report);
void html_gain(FILE *out, const struct report *report, const struct html_units *units);
void html_refused(FILE *out, const struct rows *rows);
void html_environment(FILE *out, const struct html_page *page);
void html_reproduce(FILE *out, const struct html_page *page);

#endif
