/* Variances from few values each, moderated by those of their neighbours (Smyth 2004, Stat. Appl.
 * Genet. Mol. Biol. 3, 3, doi 10.2202/1544-6115.1027), so that four visits are enough. Rows are
 * taken to have variances about one level: s0^2 over a chi-squared mean with d0 degrees of freedom.
 * Both are found from the spread of ln s^2; each row's variance is then (d0 s0^2 + d s^2) / (d0 +
 * d), with d0 + d degrees of freedom. Values are those of limma 3.54 (fitFDist, fitFDistRobustly,
 * squeezeVar), except where said. Pure functions. */
#ifndef TIMING_MODERATION_H
#define TIMING_MODERATION_H

#include <stddef.h>

/* A variance and the degrees of freedom it is known with: infinite where it is known exactly, 0
 * where nothing is known. */
struct moderation {
    double variance, freedom;
};

/* The level of n rows and how much it counts: s0^2 and d0. A row counts where its freedom is
 * positive and finite, its variance finite and not negative. No such row: NaN and 0; one: its
 * variance and 0. d0 is infinite where the rows scatter no more than their degrees of freedom
 * explain. Variances below 1e-5 of the median, zeros above all, are taken as that. Where half or
 * more are zero there is no level: NaN and 0 (limma would take 1e-5 of the unit). */
struct moderation moderation_level(const double *variance, const double *freedom, size_t n);

/* The same where some rows do not belong: kernels that tune themselves vary by 12 % between
 * processes, their neighbours by 0.5 %. The level is that of ln s^2 with the lowest 5 and the
 * highest 10 % of rows drawn in (winsorised), matched to the same moments of the F distribution,
 * and each row has its own d0: row_freedom[i] is the less the farther the row's variance is out in
 * the upper tail, for what comes beyond what so many rows let expect (Phipson, Lee, Majewski,
 * Alexander & Smyth 2016, Ann. Appl. Stat. 10, 946, doi 10.1214/16-AOAS920). A row that does not
 * count has the d0 of all. As moderation_level where fewer than ten rows count; where memory is
 * short, too. */
struct moderation moderation_level_robust(const double *variance, const double *freedom, size_t n,
                                          double *row_freedom);

/* The row's variance, drawn to the level with the row's d0. No more degrees of freedom than all
 * rows have together: `pooled`, the sum over those that count (as limma's eBayes). What one side does
 * not know, the other says; NaN and 0 where neither knows. */
struct moderation moderation_squeeze(struct moderation own, struct moderation level, double pooled);

/* The variance of a sum of two independent values, with Satterthwaite's degrees of freedom (1946,
 * Biometrics Bull. 2, 110, doi 10.2307/3002019). */
struct moderation moderation_sum(struct moderation a, struct moderation b);

/* Derivatives of ln gamma(x), for x > 0, and an inverse: what the moments of the logarithm of a
 * variance are made of.
 *
 * The first, second and third derivative (Abramowitz & Stegun 6.3.18, 6.4.12 to 6.4.14, after
 * 6.3.5 and 6.4.6 have raised x). NaN unless x > 0. */
double polygamma_digamma(double x);
double polygamma_trigamma(double x);
double polygamma_tetragamma(double x);

/* The x > 0 whose trigamma is y > 0, by the Newton iteration of Smyth 2004, appendix, on 1 /
 * trigamma, which is nearly a line. NaN unless y > 0. */
double polygamma_trigamma_inverse(double y);

#endif
