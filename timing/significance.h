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

/* Fewest rounds with which one of `tests` hypotheses can be rejected at family-wise `alpha` by
 * significance_above with Holm, although three small values have the wrong sign: 3 +
 * ceil(log2(tests / alpha)). At most SIGNIFICANCE_MOST. tests >= 1, 0 < alpha < 1. */
size_t significance_rounds(size_t tests, double alpha);

/* Student's t bounds of the mean of n independent values at one-sided `confidence` (0.95: each
 * bound is wrong in 5 % of cases; both together are a 90 % interval). -inf and inf for n < 2. */
struct significance_bounds {
    double mean, low, high, sd;
};
struct significance_bounds significance_bounds(const double *x, size_t n, double confidence);

/* The smallest true centre that a test of n rounds against `margin` at level `alpha` (of one test,
 * after Holm: alpha / tests) detects with 80 % power, where rounds have the standard deviation sd:
 * margin + sd delta / sqrt(n) with delta from the normal approximation of the signed-rank test,
 * (z_{1-alpha} + z_{0.8}) sqrt(pi / 3); where 2^-n > alpha nothing can be detected: infinity.
 * Checked by simulation in tests/test_significance.c. NaN where sd is. */
double significance_detectable(double margin, double sd, size_t n, double alpha);

#endif
