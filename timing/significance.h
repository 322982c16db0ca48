/* Tests and bounds over rounds, the independent replicates of a measurement. Pure functions: no
 * allocation is kept, no input is changed; NaN comes back where there is no value. */
#ifndef TIMING_SIGNIFICANCE_H
#define TIMING_SIGNIFICANCE_H

#include <stddef.h>

/* Largest n of significance_above. */
#define SIGNIFICANCE_MOST 64

/* Exact one-sided p-value of Wilcoxon's signed-rank test against "the distribution is symmetric
 * about a centre of at most 0": P(T+ >= the one seen), over all 2^n signs of the ranks of |x|, by
 * counting. Zeros count for the hypothesis: they keep their ranks and are taken as negative (which
 * can only raise p); equal |x| share their mean rank (Pratt 1959; Hollander, Wolfe & Chicken, 3rd
 * ed., section 3.1). Never below 2^-n. NaN for n = 0, n > SIGNIFICANCE_MOST or a NaN in x. */
double significance_above(const double *x, size_t n);

/* Holm's adjusted p-values (Holm 1979): adjusted[i] <= alpha rejects hypothesis i with the chance
 * of any false rejection among the n at most alpha, whatever the dependence. NaN in p counts as 1.
 */
void significance_holm(const double *p, size_t n, double *adjusted);

/* Rounds with which one of `tests` hypotheses can be rejected at family-wise `alpha` by
 * significance_above with Holm, although two small values (the first and the third of |x|) have the
 * wrong sign: 3 + ceil(log2(tests / alpha)), for 7 of the 2^n choices of signs are as extreme. At
 * most SIGNIFICANCE_MOST. tests >= 1, 0 < alpha < 1. */
size_t significance_rounds(size_t tests, double alpha);

/* Student's t bounds of the mean of n independent values at one-sided `confidence` (0.95: each
 * bound is wrong in 5 % of cases; both together are a 90 % interval). -inf and inf for n < 2. */
struct significance_bounds {
    double mean, low, high, sd;
};
struct significance_bounds significance_bounds(const double *x, size_t n, double confidence);

/* The smallest true centre that a test of n normal rounds against `margin` at level `alpha` (of one
 * test, after Holm: alpha / tests) detects with 80 % power, where rounds have the standard
 * deviation sd: margin + sd d. d is found by bisection; the power at d is the chance that the sum
 * of the negative ranks is within the exact test's, taking the ranks' signs as independent, each
 * negative with its exact chance, n times the integral over a > 0 of phi(a + d) Binomial(i - 1; n -
 * 1, P(|x| <= a)) for rank i. Simulated, the power at what this returns is 0.78 to 0.82 (the test
 * checks); the usual normal approximation, d = (z_{1-alpha} + z_{0.8}) sqrt(pi / (3 n)), has 0.38
 * for n = 12 and alpha = 0.0005. Where 2^-n > alpha nothing can be detected: infinity. NaN where sd
 * is, and for n > SIGNIFICANCE_MOST. */
double significance_detectable(double margin, double sd, size_t n, double alpha);

#endif
