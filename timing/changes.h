/* Where the level of a series of few, noisy values changes. Pure functions. */
#ifndef TIMING_CHANGES_H
#define TIMING_CHANGES_H

#include <stddef.h>

/* Change points of x[0..n) by binary segmentation: a segment is split at the place with the largest
 * |difference of means| / pooled standard error, if a permutation test of that statistic (999
 * seeded permutations of the segment; all of them where there are fewer) gives p <= alpha / the
 * number of tests made; both sides have at least `least` values (2 or more). Writes the first index
 * of each new level, ascending, and returns how many; at[] has room for n. 0 where memory is short.
 */
size_t changes_find(const double *x, size_t n, size_t least, double alpha, size_t *at);

#endif
