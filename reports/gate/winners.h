/* The fastest honest kernel or library of each shape, over one or more runs.
 *
 * Runs have no arm in common but libraries. So each kernel stands by its ratio to one library of
 * the shape: the strongest that all of its kernels were timed beside. It wins where it is shown to
 * be faster. */
#ifndef REPORTS_GATE_WINNERS_H
#define REPORTS_GATE_WINNERS_H

#include <stdio.h>

#include "reports/gate/gate_policy.h"
#include "reports/query/query.h"

struct winners_call {
    const char *const *runs;
    size_t count;
    const char *mode, *lens;          /* NULL: the usual one */
    const struct gate_policy *policy; /* margins */
    const char *folder;               /* for winners.h; NULL: nowhere */
};

/* Writes winners.h and fills *page, which the caller frees. Returns an exit status. */
int winners_make(const struct winners_call *call, struct document **page);

/* Makes the table `winners` of the tables `pairs` and `classes` (gate_load_policy), by winners.sql. "": the
 * usual mode, the usual lens. */
void winners_choose(sqlite3 *db, const char *mode, const char *lens);

/* The winners as a C header with a function that finds that of a shape. */
void winners_write_header(FILE *out, sqlite3 *db);

#endif
