/* What filling a document (document_fill.c) needs below it: memory that is released at once, and
 * marked formats. */
#ifndef REPORTS_PAGE_DOCUMENT_MEMORY_H
#define REPORTS_PAGE_DOCUMENT_MEMORY_H

#include <stdarg.h>

#include "reports/page/document_parts.h"

/* Zeroed memory that the document owns. */
void *document_allocate(struct document *page, size_t size);

/* A copy that the document owns, as utf8_clean makes it: text from outside may hold anything, or be
 * cut off inside a character. */
const char *document_copy(struct document *page, const char *text);

void document_release(struct document *page);

/* Appends a span. `to` is of a link. */
void document_put(struct document *page, struct document_text *text, enum document_span_kind kind,
                  const char *words, const char *to);

/* Appends what a marked format (document.h) says. */
void document_mark(struct document *page, struct document_text *text, const char *format,
                   va_list args) __attribute__((format(printf, 3, 0)));

#endif
