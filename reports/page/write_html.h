/* A document as one HTML page that needs no network: figures inline, tables that can be sorted,
 * light, dark and on paper. */
#ifndef REPORTS_PAGE_WRITE_HTML_H
#define REPORTS_PAGE_WRITE_HTML_H

#include <stdio.h>

#include "reports/page/document.h"

/* The folder is where the figures lie. The page is well-formed XML, too. 0, or -1 after error()
 * where the document has failed or a figure that was drawn cannot be read; what goes wrong with the
 * stream stays in ferror(out). */
int write_html(FILE *out, const struct document *page, const char *folder);

#endif
