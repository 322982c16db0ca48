/* A document written: to a stream or a file, in each of its formats.
 *
 * Each returns 0, or -1 after error(); what goes wrong with the stream stays in ferror(out). */
#ifndef REPORTS_PAGE_WRITERS_H
#define REPORTS_PAGE_WRITERS_H

#include <jansson.h>
#include <stdio.h>

#include "reports/page/document.h"

/* Markdown (GitHub's and GitLab's). */
int write_markdown(FILE *out, const struct document *page);

/* One HTML page that needs no network: figures inline, tables that can be sorted, light, dark and
 * on paper. It is well-formed XML, too. The folder is where the figures lie; one that was drawn and
 * cannot be read is an error(). */
int write_html(FILE *out, const struct document *page, const char *folder);

/* Text for a terminal: aligned columns, no wider than the terminal that the stream is, and than
 * WRITE_TEXT_WIDTH. Long cells go on in the next line, and columns that do not fit below. Lines are
 * text_print_line's. Figures are left out. */
enum { WRITE_TEXT_WIDTH = 100 };
int write_text(FILE *out, const struct document *page);

/* The table of that id as CSV: the keys of its columns, then its rows, all of them: bare numbers,
 * an empty field where there is none. Ratios and intervals have further columns for their ends. An
 * id that no table has is an error(). */
int write_csv(FILE *out, const struct document *page, const char *id);

/* {"title": ..., "facts": {NAME: TEXT}, "tables": {ID: rows}}, in the order of the page; the rows
 * of tables of one id follow one another. */
int write_json(FILE *out, const struct document *page);

/* The rows of a table, each an object by the keys of its columns; null where there is no value.
 * NULL after error(), also for an id that no table has. */
json_t *write_json_table(const struct document *page, const char *id);

/* folder/name, in the format that the name ends with: .md, .html or .json is the whole page, .csv
 * the table of that id (NULL where the name does not end so). Pictures of an .html lie in the
 * folder. */
int write_file(const char *folder, const char *name, const struct document *page,
               const char *table);

#endif
