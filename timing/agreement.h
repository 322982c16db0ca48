/* How far two runs agree, row by row, as their intervals say they should. Pure functions. */
#ifndef TIMING_AGREEMENT_H
#define TIMING_AGREEMENT_H

#include <stddef.h>

/* One run's ln ratio of a row: the estimate, its half-width at `confidence`, and the degrees of
 * freedom of the t behind that (infinite where normal; NaN where it is no t, which then says
 * nothing of the excess). */
struct agreement_side {
    double estimate, half, freedom;
};

struct agreement_row {
    struct agreement_side first, second;
};

struct agreement {
    size_t rows;  /* whose estimates and half-widths are finite; others are left out */
    size_t agree; /* |difference| <= sqrt(half_1^2 + half_2^2) */
    double share; /* of the rows, with Wilson's 95 % interval; should be the confidence or, for
                   * that sum is wider than an interval of the difference need be, a little more */
    double share_low, share_high;
    double median_difference, ninth_difference; /* of |difference|: median and ninth decile */
    double median_half;                         /* of sqrt(half_1^2 + half_2^2) */
    /* What two runs differ by beyond their intervals, as the standard deviation of a row's
     * difference, by moments: the mean of difference^2 less the mean of its variance, over rows
     * whose variance is at most ten times the median one, for a kernel that varies by 12 % hides
     * what is common to the others. 0 where the intervals explain all; NaN where no row's freedoms
     * are known. */
    double excess_sd;
    /* By the sign that an interval leaves: below 0, above 0, undecided. */
    size_t opposite; /* below 0 in one run, above in the other */
    size_t changed;  /* decided in one, undecided in the other */
    size_t decided;  /* in both, and alike */
};

/* Shares and medians are NaN for no rows, or without memory. */
struct agreement agreement_of(const struct agreement_row *rows, size_t n, double confidence);

#endif
