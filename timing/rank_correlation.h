/* Whether two lists put the same things in the same order. */
#ifndef TIMING_RANK_CORRELATION_H
#define TIMING_RANK_CORRELATION_H

#include <stddef.h>

/* Spearman's rho: Pearson's correlation of the ranks, equal values sharing their mean rank (Kendall
 * & Gibbons, Rank Correlation Methods, 5th ed., chapter 3). From -1 to 1; NaN for n < 2, where all
 * values of a list are equal, or when memory runs out. No input may be NaN. O(n log n). */
double rank_correlation(const double *x, const double *y, size_t n);

#endif
