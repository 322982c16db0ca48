/* Dependence between successive values, and what it costs an interval. Pure functions. */
#ifndef TIMING_DEPENDENCE_H
#define TIMING_DEPENDENCE_H

#include <stddef.h>

/* Autocorrelation at lag 1: sum (x_i - m)(x_{i+1} - m) / sum (x_i - m)^2 (Box, Jenkins & Reinsel,
 * 4th ed., eq. 2.1.13). NaN for n < 3 or where all x are equal. */
double dependence_lag1(const double *x, size_t n);

/* How many independent values n values with this lag-1 autocorrelation are worth for their mean, as
 * a first-order autoregression: n (1 - r) / (1 + r). Never more than n: a negative r is not
 * credited, and neither is one within 2/sqrt(n) of zero, which is what chance alone gives. NaN lag1
 * counts as 0. */
double dependence_effective(size_t n, double lag1);

#endif
