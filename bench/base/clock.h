/* Clocks. */
#ifndef BENCH_BASE_CLOCK_H
#define BENCH_BASE_CLOCK_H

/* CLOCK_MONOTONIC in seconds. */
double clock_seconds(void);

/* CLOCK_MONOTONIC_RAW in seconds, which nobody slews: for intervals that are timed. */
double clock_raw_seconds(void);

/* The time of day in UTC, as it stands in files: 2026-01-31T23:59:59Z. */
#define CLOCK_UTC 32
void clock_utc(char text[CLOCK_UTC]);

#endif
