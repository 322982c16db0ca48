/* The one way by which text gets into a page. */
#ifndef REPORTS_PAGE_HTML_TEXT_H
#define REPORTS_PAGE_HTML_TEXT_H

#include <stdio.h>

/* Text from outside: nothing in it begins markup, ends an attribute or is no UTF-8. What is written
 * is HTML that is also well-formed XML. */
void html_text(FILE *out, const char *text);

#endif
