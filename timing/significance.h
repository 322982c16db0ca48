/* Tests and bounds of means over visits, the independent replicates of a measurement. Pure functions: no
 * allocation is kept, no input is changed but where it is said; NaN comes back where there is no value. */
#ifndef TIMING_SIGNIFICANCE_H
#define TIMING_SIGNIFICANCE_H

#include "timing/spread.h"

#include <stddef.h>

/* One-sided p-value of Student's t against "the true value is at most 0", of an estimate with such
 * an error. 1 where the error is not known, or 0: what does not scatter was not seen to scatter. */
double significance_above(double value, struct spread error);

/* Holm's adjusted p-values (Holm 1979): adjusted[i] <= alpha rejects hypothesis i with the chance
 * of any false rejection among the n at most alpha, whatever the dependence. NaN in p counts as 1.
 */
void significance_holm(const double *p, size_t n, double *adjusted);

/* What a p must be at most to be significant, 0 where none is. Of those that are, at most the share
 * alpha is chance; where all n are chance, any is significant in at most the share alpha of cases
 * (Benjamini & Hochberg 1995, J. R. Stat. Soc. B 57, 289). Sorts p, of which NaN counts as 1. */
double significance_level(double *p, size_t n, double alpha);

/* Student's t bounds of the mean of n independent values at one-sided `confidence` (0.95: each
 * bound is wrong in 5 % of cases; both together are a 90 % interval). -inf and inf for n < 2. */
struct significance_bounds {
    double mean, low, high, sd;
};
struct significance_bounds significance_bounds(const double *x, size_t n, double confidence);

/* How many of some independent events happen, each with a chance of its own: the misses to expect
 * of intervals that need not all be 95 % ones. */
struct poisson_binomial {
    double expected;
    double at_least; /* P(as many as seen, or more) */
    double at_most;  /* P(as many as seen, or fewer) */
};

/* Exact, by adding one event after the other to the distribution of their number: n times as many
 * steps as there are numbers with a chance of 1e-308 or more.
 * No sum is taken from 1 where it would lose digits. All NaN where a chance is not in [0,1].
 * What the chance of a miss is: tails_student(half-width / standard error, degrees
 * of freedom), 1 - confidence where nothing has widened the interval. */
struct poisson_binomial poisson_binomial_of(const double *chance, size_t n, size_t seen);

#endif
