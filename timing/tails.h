/* Tails and quantiles of the distributions that intervals need. Pure functions. */
#ifndef TIMING_TAILS_H
#define TIMING_TAILS_H

/* Degrees of freedom from which on Student's t is taken as normal, and the denominator of F as
 * known: both differ from their limit by less than 1e-6 of it. */
#define TAILS_KNOWN 1e7

/* ln P(F > x) of Snedecor's F with d1 and d2 degrees of freedom, by the continued fraction of the
 * incomplete beta function (Abramowitz & Stegun 26.6.2, 26.5.8); d2 may be infinite. The logarithm,
 * because tails down to 1e-300 and beyond are compared. 0 for x <= 0; NaN where a number is NaN or
 * a d is not positive. */
double tails_f_log(double x, double d1, double d2);

/* P(|T| > t) of Student's t with df degrees of freedom, which may be infinite: the normal
 * distribution. 1 for t <= 0. NaN where a number is NaN or df is not positive. */
double tails_student(double t, double df);

/* Quantile p in (0,1) of Student's t with df degrees of freedom, df > 0, which may be infinite. NaN
 * for others. */
double tails_student_quantile(double p, double df);

#endif
