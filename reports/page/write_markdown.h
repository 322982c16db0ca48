/* A document as Markdown (GitHub's and GitLab's). */
#ifndef REPORTS_PAGE_WRITE_MARKDOWN_H
#define REPORTS_PAGE_WRITE_MARKDOWN_H

#include <stdio.h>

#include "reports/page/document.h"

/* 0, or -1 after error() where the document has failed; what goes wrong with the stream stays in
 * ferror(out). */
int write_markdown(FILE *out, const struct document *page);

#endif
