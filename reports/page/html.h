/* RUN/report/report.html, the page a referee reads: one file that needs no network, with figures
 * inline, tables that can be sorted, light, dark and on paper. */
#ifndef REPORTS_PAGE_HTML_H
#define REPORTS_PAGE_HTML_H

#include <jansson.h>
#include <stdio.h>

#include "reports/page/markdown.h"

struct html_page {
    const struct report *report;
    const char *folder; /* where the figures lie */
    const json_t *plan;
    const json_t *manifest; /* NULL where the run has none yet */
};

/* 0, or -1 after error() when memory runs out or a figure that was drawn cannot be read; else
 * failures stay in ferror(out). */
int html_write(FILE *out, const struct html_page *page);

#endif
