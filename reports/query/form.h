/* A file of others in the database, in a form that a query knows:
 *
 *     form->sql    makes the form's own tables, and the table `faults`: a `text` stands behind the file's
 *                  name in a message; the first by `at` and `rank` is told
 *
 * Of a CSV file the table `file` has m, n, k, shape, line and the form's columns. One that is absent is
 * NULL. The view `cells` has these columns a row each: line, place (0 is the first), name and text;
 * `numbers` has what is wrong with each as a number, too: its `fault`, or NULL. Of a JSON file the table
 * `file` has one row and column, `document`. */
#ifndef REPORTS_QUERY_FORM_H
#define REPORTS_QUERY_FORM_H

#include "reports/query/query.h"

#define FORM_COLUMNS 20

struct form {
    const char *name; /* of the tool */
    const char *unit; /* of its times, for messages */
    bool many;        /* an arm has many rows of a shape, of which the fastest is meant */
    bool shapeless;   /* a line is about no one shape: m, n and k are 0 */
    const char *sql;
    /* Of a CSV file; those behind a NULL may be absent. A JSON file has none. */
    const char *columns[FORM_COLUMNS];
    const char *lacking; /* said of a column that is absent */
};

/* Makes the tables. 0, or -1 after error() that names file, line and column. */
int form_load(sqlite3 *db, const struct form *form, const char *file);

/* 0, or -1 after error() of the first of the faults. */
int form_refuse(sqlite3 *db, const char *file);

#endif
