/* Tests and bounds over rounds, the independent replicates of a measurement. Pure functions: no
 * allocation is kept, no input is changed; NaN comes back where there is no value. */
#ifndef TIMING_SIGNIFICANCE_H
#define TIMING_SIGNIFICANCE_H

#include <stddef.h>

/* Largest n of significance_above. */
#define SIGNIFICANCE_MOST 64

/* Chance of a round above 0 that the hypothesis of significance_above still allows. A half would do
 * for rounds that are independent and symmetric about 0. Rounds whose mean is 0 are above it with
 * chance 0.63 where they are skewed as an exponential distribution, with 0.69 as a lognormal one
 * with sigma 1; after a round above 0 the next one is with 0.60 where neighbours correlate by 0.3.
 */
#define SIGNIFICANCE_ALLOWED 0.7

/* One-sided p-value of the sign test against "a round is above 0 with a chance of at most
 * SIGNIFICANCE_ALLOWED, whatever the rounds before it were": P(K >= the number seen) of n rounds, K
 * binomial. It takes no shape of a distribution and no symmetry, and needs no independence beyond
 * the hypothesis. A zero is not above. NaN for n = 0, n > SIGNIFICANCE_MOST or a NaN in x. */
double significance_above(const double *x, size_t n);

/* Holm's adjusted p-values (Holm 1979): adjusted[i] <= alpha rejects hypothesis i with the chance
 * of any false rejection among the n at most alpha, whatever the dependence. NaN in p counts as 1.
 */
void significance_holm(const double *p, size_t n, double *adjusted);

/* Rounds with which one of `tests` hypotheses can be rejected at family-wise `alpha` by
 * significance_above with Holm, although `spare` of them are not above 0. At most
 * SIGNIFICANCE_MOST. tests >= 1, 0 < alpha < 1. */
size_t significance_rounds(size_t tests, double alpha, size_t spare);

/* Chance that at most `spare` of n rounds are not above 0, where their centre is `deviations`
 * standard deviations above it and they have the heavy tails of Student's t(4). */
double significance_power(size_t n, size_t spare, double deviations);

/* Student's t bounds of the mean of n independent values at one-sided `confidence` (0.95: each
 * bound is wrong in 5 % of cases; both together are a 90 % interval). -inf and inf for n < 2. */
struct significance_bounds {
    double mean, low, high, sd;
};
struct significance_bounds significance_bounds(const double *x, size_t n, double confidence);

/* The smallest true centre that a test of n normal rounds against `margin` at level `alpha` (of one
 * test, after Holm: alpha / tests) detects with 80 % power, where rounds have the standard
 * deviation sd: margin + sd d, with d by bisection of P(K >= the fewest that are significant), K
 * binomial of n with chance Phi(d). Where no number of rounds is significant nothing can be
 * detected: infinity. NaN where sd is, and for n > SIGNIFICANCE_MOST. */
double significance_detectable(double margin, double sd, size_t n, double alpha);

#endif
