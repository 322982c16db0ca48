/* What others say of kernels, and what a run says to that. */
#ifndef REPORTS_TABLES_CLAIMS_H
#define REPORTS_TABLES_CLAIMS_H

#include <stddef.h>

#include "reports/run/about.h"
#include "reports/run/rundir.h"
#include "reports/tables/lines.h"

/* What of a shape's speedup s (time of the baseline over the candidate's, minus 1) the mean over
 * shapes is taken. */
enum claim_quantity {
    CLAIM_SPEEDUP, /* s: Table 1 */
    CLAIM_BEST,    /* max(0, s): Table 2 */
    CLAIM_WINS     /* 1 where s > 0, else 0 */
};

struct claim {
    char text[256], source[256];
    char set[RUNDIR_NAME]; /* name of the candidate set it is about */
    char gpu[64];          /* part of the GPU's name */
    char accumulate[8];
    char baseline[RUNDIR_NAME], mode[RUNDIR_NAME], lens[RUNDIR_NAME];
    char suite[RUNDIR_NAME]; /* of which its shapes are all; "": of none */
    enum claim_quantity quantity;
    double value;     /* 0.22: 22 % */
    double tolerance; /* how far below the value still confirms, in the same unit */
    size_t shapes;    /* that the value is over */
};

struct claims {
    struct claim *list;
    size_t count;
};

/* Reads a CSV file, a line a claim, with the columns
 *
 *     set,gpu,accumulate,lens,suite,shapes,quantity,mode,baseline,percent,tolerance,text,source
 *
 * percent and tolerance are in per cent, quantity is speedup, best or wins. A word that no run can
 * have (tables.h), what is out of range or missing is an error() with file, line and cause. 0, or -1
 * with nothing to free. */
int claims_read(const char *file, struct claims *claims);
void claims_free(struct claims *claims);

/* Leaves the claims about the run's set, where there is one. An import of the release's files is
 * refused where there is none. 0, or -1 after error(). */
int claims_fit(struct claims *claims, const char *file, const struct about *about);

enum claim_verdict {
    /* Both also when shapes of the run without a kernel that has passed count as no gain: there a
     * user falls back on the baseline. */
    CLAIM_CONFIRMED,     /* low >= value - tolerance */
    CLAIM_NOT_CONFIRMED, /* high < value - tolerance */
    CLAIM_UNDECIDED,
    CLAIM_NOT_COMPARABLE,
    /* Of numbers that were imported, which are no measurement: what they give is the claim's value
     * as far as it is printed, or is not. */
    CLAIM_AGREES,
    CLAIM_DIFFERS,
    CLAIM_VERDICTS
};

/* A mean over shapes with its 95 % interval: over visits, and where the run has a sample of the claim's
 * suite over samples, too (timing/sample_mean.h). NaN ends where either is not known; all NaN where
 * nothing was measured. */
struct claim_value {
    double mean, low, high;
};

/* The means that a finding has. */
enum claim_mean {
    CLAIM_MEASURED,   /* over the shapes that were measured */
    CLAIM_REGRESSION, /* the same by regression on what was published of the claim's shapes; none
                       * without that, or where all were measured */
    /* Over all shapes of the run, those without a kernel that has passed counting as no gain, or as
     * what was published of them; none where there are none, or nothing was published. */
    CLAIM_AS_BASELINE,
    CLAIM_AS_PUBLISHED,
    CLAIM_VALUES
};

/* What a run measured, of one candidate. */
struct claim_finding {
    struct claim claim;
    const char *candidate;
    size_t shapes;                           /* measured */
    struct claim_value values[CLAIM_VALUES]; /* NaN where there is none */
    enum claim_verdict verdict;
    char why[384]; /* not comparable or undecided: why; where the GPU alone differs, also what the
                    * verdict would be on this one */
};

struct claim_findings {
    struct claim_finding *list;
    size_t count, verdicts[CLAIM_VERDICTS];
};

/* What is judged. */
struct claims_subject {
    const struct about *about;
    const json_t *plan;
    const struct rows *rows;
    const struct rows *published; /* of the claims' shapes; NULL: none */
};

/* Every claim, of every candidate of the lines that the database has. 0, or -1
 * after error() with nothing to free. */
int claims_judge(const struct claims *claims, const struct claims_subject *subject, sqlite3 *db,
                 struct claim_findings *findings);
/* Adds the table `findings` with a row for each. */
void claims_load(sqlite3 *db, const char *run, const struct claim_findings *findings);

void claims_findings_free(struct claim_findings *findings);

/* "confirmed", "not confirmed", "undecided", "not comparable", "agrees", "differs". */
const char *claims_word(enum claim_verdict verdict);

#endif
