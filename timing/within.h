/* One estimate from the blocks of one round, which is one process: what another look at the same
 * process would show. What another process would show is rounds.h's. Pure functions. */
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
    double lag1, effective; /* dependence.h */
};

/* Scores are those that the estimate weighs values by: how many sums with the others lie above
 * twice the estimate less how many below. Infinite widths for fewer than six values (at 0.95); all
 * NaN for none, one that is not finite, or without memory. confidence in (0,1). */
struct within within_blocks(const double *x, size_t n, double confidence);

#endif
