/* The summary line of a report: one kernel set against one library over shapes. Rows of a run become
 * lines here, which queries show (lines.sql and others of sections/). */
#ifndef REPORTS_TABLES_TABLES_H
#define REPORTS_TABLES_TABLES_H

#include <stdbool.h>
#include <stddef.h>

#include "reports/page/document.h"
#include "reports/query/query.h"
#include "reports/run/rundir.h"
#include "reports/tables/reference.h"

/* NaN where a number has no value. */
struct table_line {
    const char *candidate, *lens, *mode, *baseline; /* kept (kept_text.h) */
    size_t shapes;           /* with a speedup; what mean, median, sd and wins are over */
    double mean, median, sd; /* of the paper's speedup; sd with divisor shapes - 1 */
    size_t wins;             /* shapes with a speedup above 0 */
    double geomean;          /* geometric mean of the ratio, over the shapes that have one */
    /* Its 95 % intervals (timing/suite_mean.h): what another run of the same shapes would show, and
     * what other shapes would. NaN where there is none. */
    double low, high, shapes_low, shapes_high;
    double with_refused; /* geomean, where each refused kernel counts as 1 */
    double middle;       /* median of the ratio */
    double tflops;       /* geometric mean of the kernel's, over the same shapes */
    double better; /* the paper's mean where a user keeps the library wherever the candidate is
                    * slower: Table 2 */
    size_t faster, same, slower, undecided, environment; /* shapes by verdict */
    size_t judged;                                       /* that have one */
    size_t refused;    /* kernels of the candidate, which are in no number */
    size_t unrecorded; /* shapes whose kernel, or the earlier one, is unrecorded */
    size_t left_out;   /* shapes of which a visit is left out */
    size_t reference;  /* 1: the baseline is the reference library (reference.h) of its lens */
    size_t leads;      /* 1: the line that sums up its candidate and mode: against the reference, by
                        * the lens device where there is one, else by the first */
};

/* Sorted by candidate, lens, mode and baseline. */
struct table {
    struct table_line *lines;
    size_t count;
};

/* Table 1 of the rows. 0, or -1 after error(). */
int tables_make(const struct rows *rows, struct table *table);
void tables_free(struct table *table);

/* Adds the table `lines` of the run's lines: a column of each member's name. */
void tables_add(sqlite3 *db, const char *run, const struct table *table);

/* Whether the row is one of the line's. */
bool tables_has(const struct table_line *line, const struct ratio_row *row);

/* The order of a table's lines: 0 for rows of one line, of a candidate, lens, mode and baseline. */
int tables_line_compare(const struct ratio_row *left, const struct ratio_row *right);

/* For qsort of pointers to rows: the same, and then by shape. */
int tables_row_compare(const void *left, const void *right);

/* The reference library (reference.h) of those that the table has for the candidate and lens, which
 * figures and summaries compare with. NULL if there is none. */
const char *tables_reference(const struct table *table, const char *candidate, const char *lens);

/* The first line that leads, or NULL. */
const struct table_line *tables_first(const struct table *table);

#endif
