/* Rows of a run to the lines of Table 1 and Table 2. Pure: no files. */
#ifndef REPORTS_TABLES_TABLES_H
#define REPORTS_TABLES_TABLES_H

#include <stdbool.h>
#include <stddef.h>

#include "reports/run/rundir.h"
#include "reports/tables/reference.h"

/* One candidate against one baseline by one lens in one mode, over shapes. NaN where a number has
 * no value. */
struct table_line {
    char candidate[RUNDIR_NAME], lens[RUNDIR_NAME], mode[RUNDIR_NAME], baseline[RUNDIR_NAME];
    size_t shapes;           /* with a speedup; what mean, median, sd and wins are over */
    double mean, median, sd; /* of the paper's speedup; sd with divisor shapes - 1 */
    size_t wins;             /* shapes with a speedup above 0 */
    double geomean;          /* geometric mean of the ratio, over the shapes that have one */
    /* Its 95 % intervals (timing/suite_mean.h): what another run of the same shapes would show, and
     * what other shapes would. NaN where there is none, and of TABLE_BEST. */
    double low, high, shapes_low, shapes_high;
    double middle;                                       /* median of the ratio */
    size_t faster, same, slower, undecided, environment; /* shapes by verdict */
    size_t judged;                                       /* that have one */
    size_t unrecorded; /* shapes whose kernel, or the earlier one, is unrecorded */
};

/* Sorted by candidate, lens, mode and baseline. */
struct table {
    struct table_line *lines;
    size_t count;
};

enum table_kind {
    TABLE_CANDIDATE, /* Table 1 */
    TABLE_BEST       /* Table 2: where the candidate is slower the baseline is used instead, so that
                        a speedup counts max(0, speedup) and a ratio max(1, ratio) */
};

/* 0, or -1 after error(). */
int tables_make(const struct rows *rows, enum table_kind kind, struct table *table);
void tables_free(struct table *table);

/* Whether the row is one of the line's. */
bool tables_has(const struct table_line *line, const struct ratio_row *row);

/* The order of a table's lines: 0 for rows of one line, of a candidate, lens, mode and baseline. */
int tables_line_compare(const struct ratio_row *left, const struct ratio_row *right);

/* For qsort of pointers to rows: the same, and then by shape. */
int tables_row_compare(const void *left, const void *right);

/* The baselines that figures and shapes.csv show, in that order: no single layouts. */
enum { TABLES_MAIN = 5 };
extern const char *const tables_main[TABLES_MAIN];

/* Its place among them, or TABLES_MAIN. */
size_t tables_main_index(const char *baseline);

/* The reference library (reference.h) of those that the table has for the candidate and lens, which figures
 * and summaries compare with. NULL if there is none. */
const char *tables_reference(const struct table *table, const char *candidate, const char *lens);

#endif
