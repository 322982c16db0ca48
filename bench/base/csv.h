/* CSV: a file as a table of strings under a header, and fields with the quotes they need.
 * A thin layer over libcsv (whose own names also begin with csv_). Functions that return int give
 * 0, or -1 after an error() that names file, line, cause and what to do, unless stated. */
#ifndef BENCH_BASE_CSV_H
#define BENCH_BASE_CSV_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "bench/base/shape.h"

struct csv_table {
    char *file; /* as it was given, for messages */
    size_t columns;
    size_t rows;    /* without the header */
    size_t first;   /* row that is still there; 0 where all are */
    bool ended;     /* the last line ends in a newline; a file cut off may not */
    char *text;     /* all fields, each with its NUL */
    size_t *fields; /* offsets into text, row-major, the header first */
    size_t *lines;  /* on which each row ends, the header first */
};

/* Reads the whole file. A byte order mark and CRLF are accepted, blank lines skipped, blanks around
 * unquoted fields dropped. Refused: a file that is empty or cannot be read, misplaced or open
 * quotes, rows of another length than the header, two columns of one name, NUL bytes. A line
 * that begins with # is a comment. A header without rows is fine. On failure there is nothing to free. */
int csv_table_read(const char *file, struct csv_table *table);
void csv_table_free(struct csv_table *table);

/* The same row by row, for files of millions of rows: `take` is called behind the header, when there
 * are no rows yet, and behind each row, of which none but the last is there. Their lines stay. take
 * returns 0, or -1 after an error(), which ends it. */
typedef int csv_taker(const struct csv_table *table, void *context);
int csv_table_each(const char *file, csv_taker *take, void *context, struct csv_table *table);

/* The column's index, or -1, without a message. The case of its name does not matter. */
int csv_table_find(const struct csv_table *table, const char *name);

/* The same with a message. */
int csv_table_column(const struct csv_table *table, const char *name);

/* Row 0 is the first after the header. Owned by the table. */
const char *csv_table_text(const struct csv_table *table, size_t row, int column);
size_t csv_table_line(const struct csv_table *table, size_t row);

/* Prints "FILE:LINE: column NAME: " and the message; returns -1. */
int csv_table_error(const struct csv_table *table, size_t row, int column, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/* A finite decimal number with nothing around it. An empty field is refused. */
int csv_table_number(const struct csv_table *table, size_t row, int column, double *value);

/* An edge of a shape. */
int csv_table_size(const struct csv_table *table, size_t row, int column, int64_t *size);

/* From columns m, n and k where the table has them, else from mnk ("MxNxK" or "M_N_K"). */
int csv_table_shape(const struct csv_table *table, size_t row, struct shape *shape);

/* One field, with quotes where it needs them; the commas and newlines between are the caller's.
 * Faults stay in ferror(out). NaN is an empty field; numbers keep twelve digits. */
void csv_put_text(FILE *out, const char *text);
void csv_put_number(FILE *out, double value);

/* The number as it will be read back. */
double csv_rounded(double value);

#endif
