/* The cores of this process: what it may use, and what its arithmetic does. */
#ifndef BENCH_BASE_CORES_H
#define BENCH_BASE_CORES_H

#include <stdint.h>

/* Reference products and checks use so many cores from now on. Without this call they use all there
 * are. */
void cores_use(int count);

/* Threads for work of so many entries, each of which costs some nanoseconds: no more than it is
 * worth, and of those in use a quarter is left to processes that start meanwhile. A team waits for
 * the last of its threads, so one whose core is taken costs all of them a slice of the scheduler's:
 * 4 to 20 ms for each of some thirty products of a shape, on 16 cores. */
int cores_for(int64_t entries);

/* How many cores the process may run on; 1 if that is not known. */
int cores_allowed(void);

#endif
