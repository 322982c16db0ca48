/* Dependence between successive values, and what it costs an interval. Pure functions. */
#ifndef TIMING_DEPENDENCE_H
#define TIMING_DEPENDENCE_H

#include <stddef.h>

/* Autocorrelation at lag 1: sum (x_i - m)(x_{i+1} - m) / sum (x_i - m)^2 (Box, Jenkins & Reinsel,
 * 4th ed., eq. 2.1.13). NaN for n < 3 or where all x are equal. */
double dependence_lag1(const double *x, size_t n);

/* How many independent values n values with this lag-1 autocorrelation are worth for their mean, as
 * a first-order autoregression: n (1 - r') / (1 + r'), never more than n. r' = (n lag1 + 1) / (n -
 * 4) undoes the bias of lag1, about -(1 + 4 r') / n (Kendall 1954; Marriott & Pope 1954); it is at
 * most 0.99, and 0 where it would be negative, lag1 is NaN, or n <= 4. Stopping on the width of a
 * 95 % interval (stopping.h) under an autoregression with 0.5 covered 80 to 89 % of 20000 simulated
 * truths with lag1 counted only beyond 2/sqrt(n), 87 to 92 % with lag1 as it is, and 89 to 93 %
 * with r', the lower where it stops within 75 values. */
double dependence_effective(size_t n, double lag1);

/* The variance that n successive values, dependent or not, have in common per value: n times the
 * variance of their mean. The mean square of the values' weights in the `waves` slowest cosines
 * over the series, sqrt(2/n) cos(pi j (i + 1/2) / n), j = 1..waves (Mueller 2004, J. Econometrics
 * 120; Lazarus, Lewis, Stock & Watson 2018, J. Bus. Econ. Stat. 36, 541): for a stationary series
 * about chi-squared with as many degrees of freedom as waves, so that few waves see slow drift and
 * many see it with less scatter. waves < n. NaN for n < 2 or waves = 0. */
double dependence_long_run(const double *x, size_t n, size_t waves);

#endif
