/* One estimate with an interval from visits. Blocks of one process share its memory layout and its
 * clocks and are not replicates of each other; visits, fresh processes, are. Pure functions. */
#ifndef TIMING_VISITS_H
#define TIMING_VISITS_H

#include "timing/spread.h"

#include <stdbool.h>
#include <stddef.h>

struct visits {
    double estimate, low, high;
    double lag1, effective;  /* within.h: mean over visits, sum over visits */
    double within_sd;        /* pooled standard deviation of the blocks about their visit's mean */
    double between_sd;       /* sqrt(max(0, var of the visits' means - within_sd^2 * mean(1/n_r))),
                              * the variance component of Searle, Casella & McCulloch, section 3.6;
                              * NaN for one visit */
    size_t count;            /* of visits with values */
    bool within_one_process; /* one visit: the interval says nothing of another process */
    struct spread own;  /* the variance of a visit's estimate as these visits show it, with count
                            * - 1 degrees of freedom; NaN and 0 for one visit */
    struct spread used; /* what stands behind the interval: own; for one visit the variance within
                         * the process, by within.h */
    double plain_error; /* within.h, root mean square of the visits that have one; or NaN */
    double likely_half; /* within.h: of the mean of the visits that have one; or infinite */
};

/* x holds the visits one after another, sizes[r] values each; empty visits are skipped. The
 * estimate is the mean of the visits' estimates by within.h. One visit: its interval by within.h.
 * More: Student's t with the visits' own variance, which holds all that blocks, placements and
 * processes add, and no narrower than the blocks would allow were they independent (normal quantile
 * times plain_error / sqrt(count)). A visit of few blocks has an estimate, and costs the others
 * nothing. Infinite where there is too little for the confidence; NaN for no values or without
 * memory. */
struct visits visits_combine(const double *x, const size_t *sizes, size_t visits,
                             double confidence);

/* The difference above - below of what two processes of each visit say, by the same rules: a visit's
 * estimate is the difference of both, and the variances within them add. A visit counts that has
 * values of both. */
struct visits_values {
    const double *x; /* as of visits_combine, */
    const size_t *sizes;
};
struct visits visits_difference(const struct visits_values *above,
                                const struct visits_values *below, size_t visits,
                                double confidence);

/* Sets the interval of a row from its own variance, as above. */
void visits_put_interval(struct visits *row, double confidence);

/* Whether time that was planted is found: two known delays, and the slope of what is found over
 * what was planted, which is 1 whatever a delay's launch costs by itself. */
struct slope {
    struct visits slope;  /* seconds found per second planted */
    struct visits offset; /* seconds that any delay adds, however short: its launch */
};

/* Blocks of visits as above; in each block the arm without a delay, with `planted_short` and
 * with `planted_long` seconds more, which differ. All NaN as visits_combine, and where the delays
 * are equal. */
struct slope slope_of_delays(const double *without, const double *with_short,
                             const double *with_long, double planted_short, double planted_long,
                             const size_t *sizes, size_t visits, double confidence);

#endif
