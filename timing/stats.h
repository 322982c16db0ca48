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

struct stats_interval {
    double estimate, low, high;
};

/* Hodges-Lehmann one-sample estimate, the median of the n(n+1)/2 Walsh averages, with the
 * distribution-free confidence interval that inverts the Wilcoxon signed-rank test (Hollander,
 * Wolfe & Chicken, 3rd ed., sections 3.2-3.3). confidence in (0,1). Exact null distribution for n
 * <= 50, normal approximation with continuity correction above. Where n is too small for the
 * confidence asked (n < 6 at 0.95) low and high are -infinity and +infinity. O(n log n) time: order
 * statistics of the Walsh averages are found by bisection and counting, never by listing them. All
 * NaN for n = 0 or when memory runs out. */
struct stats_interval stats_hodges_lehmann(const double *x, size_t n, double confidence);

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
