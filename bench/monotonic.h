/* The judge's clock. */
#ifndef BENCH_MONOTONIC_H
#define BENCH_MONOTONIC_H

/* CLOCK_MONOTONIC in seconds. */
double monotonic_seconds(void);

#endif
