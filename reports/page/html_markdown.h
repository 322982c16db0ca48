/* Sections that are written once, as Markdown (trust.h, findings.h), as part of a page. */
#ifndef REPORTS_PAGE_HTML_MARKDOWN_H
#define REPORTS_PAGE_HTML_MARKDOWN_H

#include <stdio.h>

/* The Markdown that the reports write, no more: headings, paragraphs, lists of one level, tables,
 * **strong**, *emphasis*, `code`, [links](to) and backslashes. The text is changed on the way.
 * Headings come `deeper` levels deeper; one that becomes an h2 is left out, being the caller's.
 * Whatever the text, what comes out is well-formed. */
void html_markdown(FILE *out, char *text, int deeper);

#endif
