/* The order of arms in a block and the idle gaps of server mode, from seeds alone. */
#ifndef TIMING_SCHEDULE_H
#define TIMING_SCHEDULE_H

#include <stdint.h>

/* Writes a uniformly random permutation of 0..n-1 (Fisher-Yates; bits from splitmix64 of the seed,
 * unbiased by rejection). */
void schedule_shuffle(uint64_t seed, int n, int *order);

/* An exponentially distributed gap in seconds with mean 1/qps: -log(1-u)/qps. */
double schedule_gap(uint64_t seed, double qps);

#endif
