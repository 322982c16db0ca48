/* A document as text for a terminal: aligned columns, no more than 100 columns wide. */
#ifndef REPORTS_PAGE_WRITE_TEXT_H
#define REPORTS_PAGE_WRITE_TEXT_H

#include <stdio.h>

#include "reports/page/document.h"

enum { WRITE_TEXT_WIDTH = 100 };

/* Long cells go on in the next line. No line begins with what a CI server reads as a command
 * (::, ##), and control characters are blanks. Figures are left out. 0, or -1 after error() where
 * the document has failed; what goes wrong with the stream stays in ferror(out). */
int write_text(FILE *out, const struct document *page);

#endif
