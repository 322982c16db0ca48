/* One estimate with an interval from rounds. Blocks of one process share its memory layout and its
 * clocks and are not replicates of each other; rounds, fresh processes, are. Pure functions. */
#ifndef TIMING_ROUNDS_H
#define TIMING_ROUNDS_H

#include "timing/moderation.h"

#include <stdbool.h>
#include <stddef.h>

struct rounds {
    double estimate, low, high;
    double lag1, effective;  /* within.h: mean over rounds, sum over rounds */
    double within_sd;        /* pooled standard deviation of the blocks about their round's mean */
    double between_sd;       /* sqrt(max(0, var of the rounds' means - within_sd^2 * mean(1/n_r))),
                              * the variance component of Searle, Casella & McCulloch, section 3.6;
                              * NaN for one round */
    size_t count;            /* of rounds with values */
    bool within_one_process; /* one round: the interval says nothing of another process */
    struct moderation own; /* the variance of a round's estimate as these rounds show it, with count
                            * - 1 degrees of freedom; NaN and 0 for one round */
    struct moderation used; /* that variance as it stands behind the interval: moderated, or own;
                             * for one round that within the process, by within.h */
    double plain_error;     /* within.h, root mean square of the rounds that have one; or NaN */
    double likely_half;     /* within.h: of the mean of the rounds that have one; or infinite */
};

/* x holds the rounds one after another, sizes[r] values each; empty rounds are skipped. The
 * estimate is the mean of the rounds' estimates by within.h. One round: its interval by within.h.
 * More: Student's t with the rounds' own variance, which holds all that blocks, placements and
 * processes add, and no narrower than the blocks would allow were they independent (normal quantile
 * times plain_error / sqrt(count)). A round of few blocks has an estimate, and costs the others
 * nothing. Infinite where there is too little for the confidence; NaN for no values or without
 * memory. */
struct rounds rounds_combine(const double *x, const size_t *sizes, size_t rounds,
                             double confidence);

/* The row with its interval from its variance moderated (moderation.h): `level` has the row's own
 * d0, and the result has at most `pooled` degrees of freedom. One round stays as it is. */
struct rounds rounds_moderate(struct rounds row, struct moderation level, double pooled,
                              double confidence);

/* All rows of a class (a lens, a mode, a size): their level found robustly, every row moderated.
 * pooled: the degrees of freedom that all rows have together. Rows of one shape share a kernel's
 * arm and know no more than one of them; a sum over all of them would say that they do. Where
 * memory is short, rows stay as they are. Returns the level. */
struct moderation rounds_moderate_all(struct rounds *rows, size_t n, double pooled,
                                      double confidence);

/* Whether time that was planted is found: two known delays, and the slope of what is found over
 * what was planted, which is 1 whatever a delay's launch costs by itself. */
struct slope {
    struct rounds slope;  /* seconds found per second planted */
    struct rounds offset; /* seconds that any delay adds, however short: its launch */
};

/* Blocks of rounds as above; in each block the arm without a delay, with `planted_short` and
 * with `planted_long` seconds more, which differ. All NaN as rounds_combine, and where the delays
 * are equal. */
struct slope slope_of_delays(const double *without, const double *with_short,
                             const double *with_long, double planted_short, double planted_long,
                             const size_t *sizes, size_t rounds, double confidence);

#endif
