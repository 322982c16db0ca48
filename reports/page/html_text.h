/* The one way by which text gets into a page. */
#ifndef REPORTS_PAGE_HTML_TEXT_H
#define REPORTS_PAGE_HTML_TEXT_H

#include <stdio.h>

/* Writes text from outside, escaped: nothing in it can begin markup or end an attribute, and bytes
 * that are not UTF-8 are replaced. A newline stays, other control characters become blanks. The
 * result is HTML that is also well-formed XML. */
void html_text(FILE *out, const char *text);

#endif
