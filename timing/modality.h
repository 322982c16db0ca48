/* Whether values fall into two clear groups. Pure functions. */
#ifndef TIMING_MODALITY_H
#define TIMING_MODALITY_H

#include <stdbool.h>
#include <stddef.h>

/* The split of sorted values into two groups with the least variance inside them (Fisher 1958;
 * Otsu 1979). */
struct modality {
    double lower_mean, upper_mean;
    double upper_share; /* of the values, 0..1 */
    double d; /* Ashman, Bird & Zepf 1994: sqrt(2) |difference| / sqrt(sd_lower^2 + sd_upper^2) */
    bool bimodal;
};

/* sorted ascending. bimodal: d > 4 (a normal distribution cut at its mean has 2.65, a uniform one
 * 3.46), at least a tenth of the values in each group, means at least 2 % apart, and n >= 20. Event
 * clocks tick (32 ns on an H200), so values that differ by a tick or two must not count: the 2 %
 * rule does that from 3 us up; `tick` is the clock's step, and means less than 3 ticks apart are
 * one mode. */
struct modality modality_split(const double *sorted, size_t n, double tick);

#endif
