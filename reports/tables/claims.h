/* What others say of kernels, and what a run says to that. */
#ifndef REPORTS_TABLES_CLAIMS_H
#define REPORTS_TABLES_CLAIMS_H

#include <stddef.h>

#include "reports/run/about.h"
#include "reports/run/rundir.h"
#include "reports/tables/tables.h"

/* What of a shape's speedup s (time of the baseline over the candidate's, minus 1) the mean over
 * shapes is taken. */
enum claim_quantity {
    CLAIM_SPEEDUP, /* s: Table 1 */
    CLAIM_BEST,    /* max(0, s): Table 2 */
    CLAIM_WINS     /* 1 where s > 0, else 0 */
};

struct claim {
    char name[RUNDIR_NAME]; /* its section */
    char text[256], source[256];
    char set[RUNDIR_NAME]; /* name of the candidate set it is about */
    char gpu[64];          /* part of the GPU's name */
    char accumulate[8];
    char baseline[RUNDIR_NAME], mode[RUNDIR_NAME], lens[RUNDIR_NAME];
    enum claim_quantity quantity;
    double value;     /* 0.22: 22 % */
    double tolerance; /* how far below the value still confirms, in the same unit */
    size_t shapes;    /* that the value is over */
};

struct claims {
    struct claim *list;
    size_t count;
};

/* Reads an INI file, a section a claim. Every key is wanted; what [defaults], which comes first,
 * says need not be said again.
 *
 *     [defaults]                                  [table1-offline-cublas]
 *     source = arXiv 2512.02551, Table 1          text = 19.2 % faster than cuBLAS
 *     set = a100_F16F16F16F16                     baseline = cublas-max
 *     gpu = A100                                  mode = offline
 *     accumulate = f16                            value = 19.2 %
 *     lens = call
 *     quantity = speedup | best | wins
 *     tolerance = 3 %
 *     shapes = 1000
 *
 * Anything unknown, a word that no run can have (tables.h), what is out of range, said twice or
 * missing is an error() with file, line and cause. 0, or -1 with nothing to free. */
int claims_read(const char *file, struct claims *claims);
void claims_free(struct claims *claims);

/* Refuses an import of the release's files when no claim is about their set. 0, or -1 after
 * error(). */
int claims_fit(const struct claims *claims, const char *file, const struct about *about);

enum claim_verdict {
    /* Both also when the claim's shapes without a kernel that has passed count as no gain: there a
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

/* What a run measured, of one candidate. */
struct claim_finding {
    const struct claim *claim;
    const char *candidate;
    size_t shapes; /* measured; 0: none, and the numbers are NaN */
    /* Its 95 % interval is over visits, for the shapes of a list are a census. NaN where visits are
     * too few. */
    double mean, low, high;
    enum claim_verdict verdict;
    char why[384]; /* not comparable or undecided: why; where the GPU alone differs, also what the
                    * verdict would be on this one */
};

struct claim_findings {
    struct claim_finding *list;
    size_t count, verdicts[CLAIM_VERDICTS];
};

/* Every claim, of every candidate of the table's lines. All must outlive the findings. 0, or -1
 * after error() with nothing to free. */
int claims_judge(const struct claims *claims, const struct about *about, const struct rows *rows,
                 const struct table *table, struct claim_findings *findings);
void claims_findings_free(struct claim_findings *findings);

/* "confirmed", "not confirmed", "undecided", "not comparable", "agrees", "differs". */
const char *claims_word(enum claim_verdict verdict);

#endif
