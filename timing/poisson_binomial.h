/* How many of some independent events happen, each with a chance of its own: the misses to expect
 * of intervals that need not all be 95 % ones. Pure functions. */
#ifndef TIMING_POISSON_BINOMIAL_H
#define TIMING_POISSON_BINOMIAL_H

#include <stddef.h>

struct poisson_binomial {
    double expected;
    double at_least; /* P(as many as seen, or more) */
    double at_most;  /* P(as many as seen, or fewer) */
};

/* Exact, by adding one event after the other to the distribution of their number: O(n^2).
 * No sum is taken from 1 where it would lose digits. All NaN where a chance is not in [0,1], or
 * without memory. What the chance of a miss is: tails_student(half-width / standard error, degrees
 * of freedom), 1 - confidence where nothing has widened the interval. */
struct poisson_binomial poisson_binomial_of(const double *chance, size_t n, size_t seen);

#endif
