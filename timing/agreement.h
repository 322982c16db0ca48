/* How far two runs agree, row by row, as their intervals say they should. Pure functions. */
#ifndef TIMING_AGREEMENT_H
#define TIMING_AGREEMENT_H

#include "timing/spread.h"
#include "timing/verdict.h"

#include <stddef.h>

/* One run's ln ratio of a row: the estimate, its half-width at `confidence`, and the degrees of
 * freedom of the t behind that (infinite where normal; NaN where it is no t, which then says
 * nothing of the excess). */
struct agreement_side {
    double estimate, half, freedom;
    enum verdict verdict; /* of the run */
};

struct agreement_row {
    struct agreement_side first, second;
    size_t shape; /* a number; rows of a shape stand together, and share a kernel's arm */
};

struct agreement {
    size_t rows;  /* whose estimates and half-widths are finite; others are left out */
    size_t agree; /* |difference| <= sqrt(half_1^2 + half_2^2) */
    double share; /* of the rows. Its 95 % interval is Wilson's of as many independent rows as the
                   * jackknife that leaves out a shape at a time finds (Efron & Stein 1981), but no
                   * more than there are shapes */
    double share_low, share_high;
    /* The share that should agree, over the rows whose freedoms are known: of a difference that is
     * Welch's t, the chance to lie within both half-widths. The sum of squares is wider than an
     * interval of the difference need be: 98.1 % of two intervals with 3 degrees of freedom each,
     * 96.5 % with 8. NaN for none. */
    double expected;
    double median_difference, ninth_difference; /* of |difference|: median and ninth decile */
    double median_half;                         /* of both runs' own half-widths */
    double median_combined;                     /* of sqrt(half_1^2 + half_2^2) */
    /* What two runs differ by beyond their intervals, as the standard deviation of a row's
     * difference, by moments: the mean of difference^2 less the mean of its variance, over rows
     * whose variance is at most ten times the median one, for a kernel that varies by 12 % hides
     * what is common to the others. 0 where the intervals explain all; NaN where no row's freedoms
     * are known. */
    double excess_sd;
    size_t opposite; /* faster in one run, slower in the other */
    size_t changed;  /* of another word, otherwise */
};

/* Shares and medians are NaN for no rows. */
struct agreement agreement_of(const struct agreement_row *rows, size_t n, double confidence);

#endif
