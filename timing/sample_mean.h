/* The mean over a list of shapes of which some were drawn. Pure functions.
 *
 * --sample draws one shape from each of as many strata of equal size, by m n k. So a sample's mean is the
 * list's, and neighbours by size tell its error: with e_i = y_i - b x_i,
 *
 *     variance = (1 - drawn) / n * sum (e_i+1 - e_i)^2 / (2 (n - 1))
 *
 * `drawn` is the share of the list that n is (Wolter, Introduction to Variance Estimation, 2007, section
 * 8.2, estimator v2; von Neumann 1941 for the degrees of freedom, 2 (n - 1)^2 / (3 n - 4)). x is something
 * that is known of all shapes of the list, as what was published of them. The regression moves the mean by
 * b (mean of x over the list - mean of x over the sample), b being the slope of the neighbours' differences
 * (Cochran, Sampling Techniques, 1977, chapter 7).
 *
 * A share is a mean of zeros and ones. Where nearly all are equal, neighbours show no error, though the list
 * may have others. So the share of the shapes that were not drawn has the interval of Agresti and Coull (1998):
 * as if two more were ones, and two more zeros. NOTES.md has what such intervals hold. */
#ifndef TIMING_SAMPLE_MEAN_H
#define TIMING_SAMPLE_MEAN_H

#include <stddef.h>

#include "timing/spread.h"

struct sample_mean {
    double mean;
    double middle;       /* of its interval: the mean, but for a share */
    struct spread error; /* 0 where all were drawn; NaN and 0: too few tell it */
};

/* y, and x or NULL, of n shapes, which rise by m n k; list_x: the mean of x over the list. */
struct sample_mean sample_mean_of(const double *y, const double *x, double list_x, size_t n,
                                  double drawn);

/* y of n shapes, each 0 or 1. */
struct sample_mean sample_share_of(const double *y, size_t n, double drawn);

#endif
