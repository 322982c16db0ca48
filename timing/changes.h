/* Where the level of a series of few, noisy values changes. Pure functions. */
#ifndef TIMING_CHANGES_H
#define TIMING_CHANGES_H

#include <stddef.h>

/* Change points of x[0..n) by binary segmentation: a segment is split at the place with the largest
 * |difference of means| / pooled standard error, if a permutation test of that statistic gives p <=
 * alpha / the number of tests made, this one counted, segments being tested from the whole to its
 * parts and from left to right. p is the share of segment orders as extreme as the one seen, among
 * it and 999 seeded permutations (never 0: Phipson & Smyth 2010), so alpha below 0.001 finds none.
 * Both sides have at least `least` values (2 or more). Writes the first index of each new level,
 * ascending, and returns how many; at[] has room for n. 0 where memory is short or a value is not
 * finite. */
size_t changes_find(const double *x, size_t n, size_t least, double alpha, size_t *at);

#endif
