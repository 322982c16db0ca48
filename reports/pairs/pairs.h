/* The one way from a run to a ratio: what every reader of ratios, intervals and verdicts asks.
 *
 *     pair    one kernel on one shape against one reference, by one mode and lens, with its visits:
 *             x[i] = ln(t_candidate / t_reference) in visit i, above 0 where the candidate is slower
 *     pairs   all of a run, sorted, so that two runs can be laid beside each other
 *
 * A visit is a visit: everything that it needs is made anew. It is the unit of replication: what
 * differs between two kernels, runs or releases is judged by the spread over visits, not over the
 * blocks inside one.
 *
 * Pairs are those of ratios.csv and visits.csv, which `verify` holds against the raw samples. Who
 * rests a verdict on them has the run verified first. estimate.h has what is made of pairs. */
#ifndef REPORTS_PAIRS_PAIRS_H
#define REPORTS_PAIRS_PAIRS_H

#include <stdbool.h>

#include "bench/base/words.h"
#include "reports/rows/rows.h"
#include "reports/rows/samples.h"
#include "timing/spread.h"

#define PAIRS_VISITS SAMPLES_VISITS

/* Largest |x|: no two kernels are further apart, and whatever is computed from less stays finite.
 */
#define PAIRS_MOST_X 25.0

/* The reference is a baseline, a derived -max or RUNDIR_PREVIOUS. */
struct pair {
    struct shape shape;
    const char *candidate, *reference, *mode, *lens; /* kept (kept_text) */
    bool passed;     /* the candidate: it has failed no check, also later than it was timed. An unrecorded
                      * kernel passes */
    bool unrecorded; /* one of the two kernels is, or its timed calls are not known to be those that
                      * were recorded: a number by call that no device work bounds */
    double seconds, reference_seconds; /* of ratios.csv: the quotient is the ratio */
    double disturbed;                  /* share of their blocks; NaN: not known */
    double timed_visits, left_out; /* all that were timed, and those that were disturbed, which have
                                    * no value */
    /* The variance of one visit that stands behind the interval of ratios.csv. Of one visit it is
     * the variance within that visit. NaN and 0 where the row has no interval. */
    struct spread used;
    size_t visits;                     /* visits with a value */
    double x[PAIRS_VISITS];            /* of each its Hodges-Lehmann estimate */
    unsigned char visit[PAIRS_VISITS]; /* which of the run's it is */
};

/* Sorted by shape (shape_compare), candidate, reference, mode, lens; freed by pairs_free. */
struct pairs {
    struct pair *list;
    size_t count;
};

/* The pairs of a run's rows that have a visit with a value. where: the run, for messages. Refused are more
 * visits than PAIRS_VISITS and two units that time the same. 0, or -1 after error(). */
int pairs_take(const char *where, const struct rows *rows, struct pairs *pairs);

/* Appends a copy; the caller keeps the order. */
void pairs_add(struct pairs *pairs, const struct pair *pair);

/* A kernel for one shape is called by its set, and the sets of two releases may differ in name. */
void pairs_rename_set(struct pairs *pairs, const char *from, const char *to);

/* Their order, for qsort. */
int pairs_compare(const void *left, const void *right);

/* A pair that says nothing but what it is of. */
struct pair pairs_key(struct shape shape, const char *candidate, const char *reference,
                      const char *mode, const char *lens);

/* The pair, or NULL. */
const struct pair *pairs_find(const struct pairs *pairs, const struct pair *like,
                              const char *reference);

/* Drops those of kernels that have not passed. */
void pairs_keep_passed(struct pairs *pairs);

void pairs_free(struct pairs *pairs);

#endif
