/* The judge's clock. */
#ifndef BENCH_BASE_CLOCK_H
#define BENCH_BASE_CLOCK_H

/* CLOCK_MONOTONIC in seconds. */
double clock_seconds(void);

#endif
