/* Derivatives of ln gamma(x), for x > 0, and an inverse: what the moments of the logarithm of a
 * variance are made of. Pure functions. */
#ifndef TIMING_POLYGAMMA_H
#define TIMING_POLYGAMMA_H

/* The first, second and third derivative (Abramowitz & Stegun 6.3.18, 6.4.12 to 6.4.14, after
 * 6.3.5 and 6.4.6 have raised x). NaN unless x > 0. */
double polygamma_digamma(double x);
double polygamma_trigamma(double x);
double polygamma_tetragamma(double x);

/* The x > 0 whose trigamma is y > 0, by the Newton iteration of Smyth 2004, appendix, on 1 /
 * trigamma, which is nearly a line. NaN unless y > 0. */
double polygamma_trigamma_inverse(double y);

#endif
