/* Whether time that was planted is found: two known delays, and the slope of what is found over
 * what was planted, which is 1 whatever a delay's launch costs by itself. Pure functions. */
#ifndef TIMING_SLOPE_H
#define TIMING_SLOPE_H

#include <stddef.h>

#include "timing/rounds.h"

struct slope {
    struct rounds slope;  /* seconds found per second planted */
    struct rounds offset; /* seconds that any delay adds, however short: its launch */
};

/* Blocks of rounds as in rounds.h; in each block the arm without a delay, with `planted_short` and
 * with `planted_long` seconds more, which differ. All NaN as rounds_combine, and where the delays
 * are equal. */
struct slope slope_of_delays(const double *without, const double *with_short,
                             const double *with_long, double planted_short, double planted_long,
                             const size_t *sizes, size_t rounds, double confidence);

#endif
