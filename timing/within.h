/* One estimate from the blocks of one visit, which is one process: what another look at the same
 * process would show. What another process would show is visits.h's. Pure functions. */
#ifndef TIMING_WITHIN_H
#define TIMING_WITHIN_H

#include <stddef.h>

/* Waves of dependence_long_run, and so degrees of freedom, of the interval. Of 1000 simulated
 * series each, the truth lay within, by four waves (by the lag-1 correction that stood here
 * before): independent values, n = 20, 100, 400: 96, 94, 95 % (96, 96, 96); autoregression with
 * 0.5: 93, 95, 96 (91, 94, 96), with 0.95: 53, 83, 94 (73, 83, 92, 5.5 to 6.4 times the plain
 * width, often 14); an autoregression with 0.99 under as much white noise: 53, 55, 80 (46, 25, 25).
 * Of six values the width is 1.5 times the plain one (one in seven had 14 times). The price is a
 * factor 1.3 of width where nothing depends. More waves, 0.4 n^(2/3) as is usual, cost less (1.13
 * at n = 100) and miss the slow drift that timings have (40 % of 100, 46 % of 400). Five batches
 * do as four waves but for their estimate, which is that of few values each. */
#define WITHIN_WAVES 4

struct within {
    double estimate;    /* Hodges & Lehmann's, of stats.h */
    double low, high;   /* the interval of stats.h, its half-widths times sqrt(long-run variance /
                         * variance) of the values' scores and t with WITHIN_WAVES degrees of freedom
                         * over the normal quantile */
    double plain_error; /* the standard error were the blocks independent */
    double likely_half; /* the half-width to expect, for deciding when to stop: the interval of
                         * stats.h times sqrt(n / effective). The interval itself is no rule to stop
                         * on: it has few degrees of freedom, and a rule that looks again and again
                         * would stop when it is narrow by chance */
    double lag1, effective; /* of the values, as below */
};

/* Scores are those that the estimate weighs values by: how many sums with the others lie above
 * twice the estimate less how many below. Infinite widths for fewer than six values (at 0.95); all
 * NaN for none or one that is not finite. confidence in (0,1). */
struct within within_blocks(const double *x, size_t n, double confidence);

/* Dependence between successive values, and what it costs an interval. Autocorrelation at lag 1: sum (x_i - m)(x_{i+1} - m) / sum (x_i - m)^2 (Box, Jenkins & Reinsel,
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
