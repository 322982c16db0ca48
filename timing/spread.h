/* What is known of an uncertainty: a variance and the degrees of freedom that it is known with. Pure
 * functions. */
#ifndef TIMING_SPREAD_H
#define TIMING_SPREAD_H

#include <stddef.h>

/* Infinite degrees of freedom: it is known exactly. NaN with 0: nothing is known. */
struct spread {
    double variance, freedom;
};

/* Of n independent values: their variance, with n - 1 degrees of freedom. NaN and 0 for fewer than
 * two. */
struct spread spread_of(const double *x, size_t n);

/* The variance of a sum of two independent values, with Satterthwaite's degrees of freedom (1946,
 * Biometrics Bull. 2, 110, doi 10.2307/3002019). */
struct spread spread_sum(struct spread a, struct spread b);

#endif
