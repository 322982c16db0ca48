/* One estimate with an interval from blocks inside rounds. Blocks of one process share its memory
 * layout and its clocks and are not replicates of each other; rounds, fresh processes, are. */
#ifndef TIMING_ROUNDS_H
#define TIMING_ROUNDS_H

#include <stddef.h>

struct rounds {
    double estimate, low, high;
    double lag1, effective; /* dependence.h: mean over rounds, sum over rounds */
    double within_sd;       /* pooled standard deviation of the blocks about their round's mean */
    double between_sd;      /* sqrt(max(0, var of the rounds' means - within_sd^2 * mean(1/n_r))),
                             * the variance component of Searle, Casella & McCulloch, section 3.6;
                             * NaN for one round */
};

/* x holds the rounds one after another, sizes[r] values each. One round: the Hodges-Lehmann
 * estimate and interval of stats.h, its two half-widths multiplied by sqrt(n / effective). More:
 * the mean of the rounds' Hodges-Lehmann estimates, with, on either side, the wider of Student's t
 * interval over them (R - 1 degrees of freedom) and the within-round interval, whose half-width is
 * sqrt(sum of squared half-widths of the rounds, multiplied likewise) / R. Infinite where there is
 * too little for the confidence; NaN for no values or without memory. Empty rounds are skipped. */
struct rounds rounds_combine(const double *x, const size_t *sizes, size_t rounds,
                             double confidence);

/* Quantile p in (0,1) of Student's t with df degrees of freedom, df > 0, by inverting the
 * regularised incomplete beta function (Abramowitz & Stegun 26.7.1). */
double rounds_student_quantile(double p, double df);

#endif
