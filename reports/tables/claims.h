/* What others say of kernels, and what a run says to that. */
#ifndef REPORTS_TABLES_CLAIMS_H
#define REPORTS_TABLES_CLAIMS_H

#include <stddef.h>

#include "reports/query/query.h"
#include "reports/run/about.h"
#include "reports/run/rundir.h"

struct claim {
    char text[256], source[256];
    char set[RUNDIR_NAME]; /* name of the candidate set it is about */
    char gpu[64];          /* part of the GPU's name */
    char accumulate[8];
    char baseline[RUNDIR_NAME], mode[RUNDIR_NAME], lens[RUNDIR_NAME];
    char suite[RUNDIR_NAME]; /* of which its shapes are all; "": of none */
    /* What of a shape's speedup s (time of the baseline over the candidate's, minus 1) the mean over shapes is taken:
     * speedup: s, Table 1; best: max(0, s), Table 2; wins: 1 where s > 0, else 0. */
    char quantity[16];
    double value;     /* 0.22: 22 % */
    double tolerance; /* how far below the value still confirms, in the same unit */
    double shapes;    /* that the value is over */
};

struct claims {
    struct claim *list;
    size_t count;
};

/* The columns of a claim. */
extern const struct rows_file claims_file;

/* Reads a CSV file, a line a claim, with the columns
 *
 *     set,gpu,accumulate,lens,suite,shapes,quantity,mode,baseline,percent,tolerance,text,source
 *
 * percent and tolerance are in per cent, quantity is speedup, best or wins. A word that no run can
 * have (tables.h), what is out of range or missing is an error() with file, line and cause. Of all claims
 * those about the run's set stay, where there is one. An import of the release's files is refused where
 * there is none. 0, or -1 with nothing to free. */
int claims_read(const char *file, const struct about *about, struct claims *claims);
void claims_free(struct claims *claims);

/* Adds the table `claimed` with a row for each claim and candidate of the run's lines: what the rows of the run, which are
 * loaded, say to it, beside what was published of its shapes (the run "(published)", if it is loaded). The view
 * `findings` has the verdicts (findings.sql): confirmed where the lower end of the interval is at most the tolerance
 * below the value, not confirmed where the upper end is further below, undecided, or not comparable; of numbers
 * that were imported agrees or differs. The pairs are those of the rows. */
void claims_judge(sqlite3 *db, const char *run, const struct pairs *pairs,
                  const struct claims *claims);

#endif
