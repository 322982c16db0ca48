/* How many threads a loop is worth. */
#ifndef BENCH_BASE_TEAM_H
#define BENCH_BASE_TEAM_H

#include <stdint.h>

/* Threads for work of so many entries, each of which costs some nanoseconds: no more than it is
 * worth, and of those in use (cores_use) a quarter is left to processes that start meanwhile. A
 * team waits for the last of its threads, so one whose core is taken costs all of them a slice of
 * the scheduler's: 4 to 20 ms for each of some thirty products of a shape, on 16 cores. */
int team_size(int64_t entries);

#endif
