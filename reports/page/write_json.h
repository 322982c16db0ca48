/* A document, or one table of it, as JSON. */
#ifndef REPORTS_PAGE_WRITE_JSON_H
#define REPORTS_PAGE_WRITE_JSON_H

#include <jansson.h>
#include <stdio.h>

#include "reports/page/document.h"

/* The rows of a table, each an object by the keys of its columns; null where there is no value.
 * NULL after error(), also for an id that no table has. */
json_t *write_json_table(const struct document *page, const char *id);

/* {"title": ..., "facts": {NAME: TEXT}, "tables": {ID: rows}}, in the order of the page; the rows
 * of tables of one id follow one another. 0, or -1 after error(). */
int write_json(FILE *out, const struct document *page);

#endif
