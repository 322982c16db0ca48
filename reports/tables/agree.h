/* How far runs of one plan agree, as their intervals say they should. */
#ifndef REPORTS_TABLES_AGREE_H
#define REPORTS_TABLES_AGREE_H

#include <stdbool.h>
#include <stddef.h>

#include "reports/query/query.h"
#include "reports/run/opened.h"
#include "reports/tables/runs.h"
#include "timing/agreement.h"

/* The rows of a mode and lens, or those of a size class of them. */
struct agree_group {
    const char *mode, *lens, *sizes; /* kept (kept_text); sizes: "all", or "16 to 20" */
    struct agreement found;          /* differences and widths as shares of a ratio: exp(x) - 1 */
    char percent[8];                 /* of the rows, that agree */
};

/* What every two of the runs have in common. */
struct agree {
    sqlite3 *db; /* ratios and checks of the runs, each called by its number, "00000000" */
    const struct rundir *runs; /* the caller's, who keeps them */
    size_t run_count;          /* of the first one's kind of machine */
    size_t count;              /* of all: behind them stand runs on devices of other kinds */
    struct agree_group *groups;
    size_t group_count;
    size_t pairs; /* of rows, with an interval in both */
    const struct rundir *one,
        *copy; /* have the same numbers, which no two measurements give; NULL: none */
};

/* Reads the rows of runs that can agree: of one plan but for seed and device, of one kind of machine (the
 * name of GPU and CPU), with a row that has an interval in two of them. Else it says through error()
 * which field differs, and how. devices: machines may be of several kinds. Those of the first run's
 * kind are put first, and can agree where there is more than one. Returns an exit status; the caller
 * frees, whatever it is. */
int agree_read(struct rundir *runs, size_t count, bool devices, struct agree *agree);
void agree_free(struct agree *agree);

/* The same of `count` runs whose rows are read, without a question: the first `alike` of them can agree. */
void agree_match(const struct rundir *runs, size_t alike, size_t count, struct agree *agree);

/* Adds the table `agreement` with a row for each group. */
void agree_load(sqlite3 *db, const struct agree *agree);

/* Adds to the database what agree_fill shows of each run (runs_add), and its lines over the shapes that all have. To be
 * called once. */
void agree_add_lines(const struct agree *agree, const struct runs_asked *asked);

/* A page with a line for each group: every row of one run beside the same row of every other. Rows
 * without an interval are left out; rows that one run alone has are counted. The caller frees. */
struct document *agree_page(const struct agree *agree);

/* The same in a page that there is, after agree_add_lines. The lines of all runs stand above it. */
void agree_fill(struct document *page, const struct agree *agree);

#endif
