/* When to stop: on the width of the intervals, never on their sign, so that what is found does not
 * decide how long is looked. Pure functions. */
#ifndef TIMING_STOPPING_H
#define TIMING_STOPPING_H

#include <stdbool.h>
#include <stddef.h>

/* Fewest blocks that are worth a look: below it an interval's width says little of itself. */
#define STOPPING_LEAST 20

/* How many blocks to have at the next look after one at n: looks are a factor 1.3 apart, so that
 * their number grows with the logarithm of n and the intervals keep their coverage (checked by
 * simulation in tests/unit/timing/test_stopping.c). */
size_t stopping_next_look(size_t n);

/* Whether the interval is narrow enough: ln-scale half-width, the larger of the two sides, at most
 * ln(1 + precision). An interval with infinite or NaN ends is not. */
bool stopping_narrow(double estimate, double low, double high, double precision);

/* Whether a quantity has settled: its last readings lie within `tolerance` of each other, relative
 * to their largest. Unknown (NaN) ones have not. */
#define STOPPING_STEADY 3
bool stopping_steady(const double readings[STOPPING_STEADY], double tolerance);

#endif
