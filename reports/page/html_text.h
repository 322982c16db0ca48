/* The one way by which text, numbers and tables get into a page. What it writes is HTML that is
 * also well-formed XML. Failures stay in ferror(out). */
#ifndef REPORTS_PAGE_HTML_TEXT_H
#define REPORTS_PAGE_HTML_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* Text from outside: nothing in it begins markup, ends an attribute or is no UTF-8. */
void html_text(FILE *out, const char *text);

struct html_column {
    const char *name;
    bool number; /* aligned as such */
};

/* A table that can be sorted unless its first column has no name; the caption and names are text
 * from outside. Rows and cells follow. */
void html_table_open(FILE *out, const char *caption, const struct html_column *columns,
                     size_t count);
void html_table_close(FILE *out);

/* Around a table: folded away when it has many rows. Text from outside. */
void html_fold_open(FILE *out, const char *summary, size_t rows);
void html_fold_close(FILE *out);

void html_row_open(FILE *out);
void html_row_close(FILE *out);
void html_head_cell(FILE *out, const char *text); /* what the row is about */
void html_cell(FILE *out, const char *text);
void html_count_cell(FILE *out, size_t count);

/* A number as the format for one double says; an en dash for NaN. */
void html_number_cell(FILE *out, const char *format, double value) __attribute__((nonnull));

/* A speedup of 0.221 as "+22.1". */
void html_percent_cell(FILE *out, double speedup);

#endif
