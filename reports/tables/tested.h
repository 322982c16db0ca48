/* What became of the kernels under test of a run, each counted once a shape (tested.sql); of libraries and of an
 * earlier release nothing. */
#ifndef REPORTS_TABLES_TESTED_H
#define REPORTS_TABLES_TESTED_H

#include "reports/query/query.h"
#include "reports/run/opened.h"

struct tested {
    size_t kernels;
    bool all_passed;  /* and every shape of the plan has one */
    bool none_serves; /* there are kernels, and each says that it does not serve its shape */
    /* EXIT_REFUSED where one was refused, which an unrecorded one was not; else EXIT_ENVIRONMENT where the
     * machine lacks what one needs; else EXIT_PASS. */
    int status;
    char text[8 * RUNDIR_TEXT]; /* "2 of 5 kernels on shapes passed; 1 not built, the first: ..." */
    char unserved[RUNDIR_TEXT]; /* "1 of 2 shapes has no kernel: 96x96x96"; "": each has one */
};

/* Of a run that is called so in the database, with its checks (runs_add). */
void tested_take(sqlite3 *db, const char *name, struct tested *tested);

#endif
