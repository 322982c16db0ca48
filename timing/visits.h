/* One estimate with an interval from visits. Blocks of one process share its memory layout and its
 * clocks and are not replicates of each other; visits, fresh processes, are. Pure functions. */
#ifndef TIMING_VISITS_H
#define TIMING_VISITS_H

#include "timing/spread.h"

#include <stdbool.h>
#include <stddef.h>

struct visits {
    double estimate, low, high;
    size_t count;      /* of visits with values */
    struct spread own; /* the variance of a visit's estimate as these visits show it, with count - 1
                        * degrees of freedom; NaN and 0 for one visit */
    double
        block_error; /* the standard error of such an estimate by the quartiles of its blocks, were
                         * they independent: root mean square of the visits that have two or more;
                         * or NaN */
};

/* x holds the visits one after another, sizes[r] values each; empty visits are skipped. The
 * estimate is the mean of the visits' estimates, Hodges and Lehmann's of stats.h. The interval is
 * Student's t with the visits' own variance, which holds all that blocks, placements and processes
 * add, and no narrower than visits_least_half. That floor stays since intervals of 3 to 8 visits of
 * real rows hold in 93.9 to 94.8 % without it and in 94.6 to 96.2 % with it (NOTES.md). Infinite for
 * one visit, which shows nothing of another process; NaN for no values. */
struct visits visits_combine(const double *x, const size_t *sizes, size_t visits,
                             double confidence);

/* The difference above - below of what two processes of each visit say, by the same rules: a visit's
 * estimate is the difference of both, and the variances within them add. A visit counts that has
 * values of both. */
struct visits_values {
    const double *x; /* as of visits_combine; below NULL: nothing is taken off */
    const size_t *sizes;
    double *estimates; /* above: of each visit its estimate, NaN where it does not count; or NULL */
};
struct visits visits_difference(const struct visits_values *above,
                                const struct visits_values *below, size_t visits,
                                double confidence);

/* The half-width were all processes alike and blocks independent: normal quantile times block_error
 * over sqrt(count). No other process is known better than that. NaN where no visit has two blocks. */
double visits_least_half(const struct visits *row, double confidence);

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
