/* Where the level of a series of few, noisy values changes. Pure functions. */
#ifndef TIMING_CHANGES_H
#define TIMING_CHANGES_H

#include <stddef.h>

/* Change points of x[0..n) by binary segmentation: a segment is split in two where |difference of
 * means| / pooled standard error is largest or, if that is not significant, in three where the same
 * of a middle part and the rest is, for a level that comes and goes hides from splits in two
 * (Olshen et al. 2004). The k-th segment so tested, from the whole to its parts and from left to
 * right, has alpha / k, half for each, so alpha is the chance of any change in noise. Significant
 * is by a permutation test: p is the share of the segment's orders with as large a statistic, among
 * the one seen and 1999 seeded ones (never 0: Phipson & Smyth 2010), so alpha below 0.001 finds
 * none. All parts have at least `least` values (2 or more). Writes the first index of each new
 * level, ascending, and returns how many; at[] has room for n. 0 where memory is short or a value
 * is not finite. */
size_t changes_find(const double *x, size_t n, size_t least, double alpha, size_t *at);

#endif
