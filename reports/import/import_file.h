/* A file of others as a table, which queries make rows of, and these a run. A form of file has two:
 *
 *     its own      makes of the file what the tool has measured, and the table `faults`: each a `text`
 *                  behind the file's name, in the order of `at` and `rank`
 *     shared       import_words.sql is read before it, and of tools import_arms.sql behind it
 *
 * Of a CSV file the table `file` has m, n, k, shape, line and the form's columns; one that is absent is NULL. The view
 * `cells` has these a row each: line, place (which column it is, from 0), name and text. Of a JSON file
 * the table `file` has one row and column, `document`. The table `asked` has what the caller wants. */
#ifndef REPORTS_IMPORT_IMPORT_FILE_H
#define REPORTS_IMPORT_IMPORT_FILE_H

#include <jansson.h>

#include "reports/query/query.h"

#define IMPORT_COLUMNS 20

struct import_form {
    const char *name; /* of the tool */
    const char *unit; /* of its times, for messages */
    bool many;        /* an arm has many rows of a shape, of which the fastest is meant */
    const char *sql;
    const char
        *columns[IMPORT_COLUMNS]; /* of a CSV file; those behind a NULL may be absent. None: JSON */
    const char *lacking;          /* said of a column that is absent */
};

/* Makes the tables. 0, or -1 after error() that names file, line and column. */
int import_load(sqlite3 *db, const struct import_form *form, const char *file);

/* 0, or -1 after error() of the first of the faults. */
int import_refuse(sqlite3 *db, const char *file);

/* What manifest.json says of the file; NULL after error(). mode NULL: it has no one mode. */
json_t *import_source(const char *file, const char *mode);

/* Makes RUN of rows, with the plan and the manifest, which it takes (NULL: error() was called), and prints its
 * name. 0, or -1 after error(); then there is no RUN. */
int import_write(const char *run, json_t *plan, json_t *manifest, const struct rows *rows);

#endif
