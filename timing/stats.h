/* Statistics on plain arrays. Pure functions: no allocation is kept, no input is changed, no
 * global state. NaN comes back where a statistic has no value (n too small), never a guess. */
#ifndef TIMING_STATS_H
#define TIMING_STATS_H

#include <stddef.h>

/* Arithmetic mean, Kahan-summed. NaN for n = 0. */
double stats_mean(const double *x, size_t n);

/* Sample standard deviation, divisor n - 1, two passes. NaN for n < 2. */
double stats_sd(const double *x, size_t n);

/* Quantile p in [0,1] of x sorted ascending, linear between order statistics
 * (Hyndman & Fan 1996, type 7; numpy's default). NaN for n = 0. */
double stats_quantile_sorted(const double *sorted, size_t n, double p);

/* Median of unsorted x; sorts a copy. NaN for n = 0 or when memory runs out. */
double stats_median(const double *x, size_t n);

/* Ascending, in place. x must hold no NaN. */
void stats_sort(double *x, size_t n);

/* Hodges-Lehmann one-sample estimate, the median of the n(n+1)/2 Walsh averages (Hollander, Wolfe &
 * Chicken, 3rd ed., section 3.2). O(n log n) time: order statistics of the Walsh averages are found by
 * bisection and counting, never by listing them. NaN for n = 0, a value that is not finite, or when
 * memory runs out. */
double stats_hodges_lehmann(const double *x, size_t n);

/* The standard deviation of normal values by their quartiles: the interquartile range over 1.349, which
 * a few late values do not move. NaN for n < 2, and as above. */
double stats_quartile_sd(const double *x, size_t n);

struct stats_interval {
    double estimate, low, high;
};

/* A share of n independent trials that succeeded, with Wilson's score interval at 95 % (Wilson
 * 1927), which Brown, Cai & DasGupta (2001, Statistical Science 16, 101-133) recommend: it has a
 * width also where all or none succeeded, and stays within 0 and 1. n need not be whole: of trials
 * that depend on each other it is how many independent ones say as much. All NaN for n = 0. */
struct stats_interval stats_wilson(double share, double n);

/* Whether two lists put the same things in the same order. Spearman's rho: Pearson's correlation of the ranks, equal values sharing their mean rank (Kendall
 * & Gibbons, Rank Correlation Methods, 5th ed., chapter 3). From -1 to 1; NaN for n < 2, where all
 * values of a list are equal, or when memory runs out. No input may be NaN. O(n log n). */
double stats_rank_correlation(const double *x, const double *y, size_t n);

#endif
