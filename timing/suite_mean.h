/* The mean of ln ratio over the shapes of a list, with two intervals: what another run of the same
 * list would show, and what another list would. Pure functions. */
#ifndef TIMING_SUITE_MEAN_H
#define TIMING_SUITE_MEAN_H

#include "timing/spread.h"

#include <stddef.h>

struct suite_mean {
    double estimate;
    double low, high;               /* over visits, the shapes fixed */
    struct spread error;            /* what that interval is Student's t of: the variance of the
                                     * estimate, and its degrees of freedom */
    double shapes_low, shapes_high; /* over shapes, as if drawn at random: Student's t */
    size_t shapes, visits;          /* that have values */
};

/* estimates[i * visits + r]: shape i in visit r, NaN where missing; variance[i]: that of one
 * visit's estimate of the shape (visits.h: own). Every
 * shape counts the same.
 *
 * Shapes fixed, the variance is the sum of the shapes' variances over visits, divided by shapes^2,
 * if nothing is common to a visit; a host's or an hour's effect would be, and the visits' means
 * alone show it. So: where those, shapes' means taken off, vary more than the shapes explain, the
 * interval is Student's t over the visits' means, which is right whatever is common; where not, it
 * is Student's t of the shapes' variances v_i (of k_i visits, with f_i degrees of freedom), with
 * (sum v_i / k_i)^2 / sum ((v_i / k_i)^2 / f_i) degrees of freedom (Satterthwaite 1946, Biometrics
 * Bull. 2, 110, doi 10.2307/3002019). These are at
 * most sum (k_i - 1), a shape of one visit counting f_i, or the largest f_i where that is more. One
 * shape always has the interval of its variance, which is its row's: nothing tells its visits from
 * what is common. Two visits cannot tell (86 %): there it is always Student's. One visit: that of the
 * shapes' variances. Infinite where there is too little; NaN for no values. NOTES.md has simulations. */
struct suite_mean suite_mean_of(const double *estimates, const struct spread *variance,
                                size_t shapes, size_t visits, double confidence);

#endif
