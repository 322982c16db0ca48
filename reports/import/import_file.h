/* A file of others in the database. Queries make rows of it, and the rows become a run.
 *
 *     import_words.sql    comes first: all forms of file use it
 *     form->sql           makes the form's own tables, and the table `faults`: a `text` stands behind the
 *                         file's name in a message; the first by `at` and `rank` is told
 *     import_arms.sql     makes times and ratios of what a tool has measured
 *
 * Of a CSV file the table `file` has m, n, k, shape, line and the form's columns. One that is absent is
 * NULL. The view `cells` has these columns a row each: line, place (0 is the first), name and text. Of a
 * JSON file the table `file` has one row and column, `document`. The table `asked` has the caller's
 * wishes. */
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
    /* Of a CSV file; those behind a NULL may be absent. A JSON file has none. */
    const char *columns[IMPORT_COLUMNS];
    const char *lacking; /* said of a column that is absent */
};

/* Makes the tables. 0, or -1 after error() that names file, line and column. */
int import_load(sqlite3 *db, const struct import_form *form, const char *file);

/* 0, or -1 after error() of the first of the faults. */
int import_refuse(sqlite3 *db, const char *file);

/* The file's entry in manifest.json; NULL after error(). mode NULL: it has no one mode. */
json_t *import_source(const char *file, const char *mode);

/* Makes RUN of rows, with the plan and the manifest, which it takes (NULL: error() was called), and prints its
 * name. 0, or -1 after error(); then there is no RUN. */
int import_write(const char *run, json_t *plan, json_t *manifest, const struct rows *rows);

#endif
