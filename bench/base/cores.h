/* The cores of this process. */
#ifndef BENCH_BASE_CORES_H
#define BENCH_BASE_CORES_H

#include <stdint.h>

/* How many cores the process may run on; 1 if that is not known. */
int cores_allowed(void);

/* Threads for work of so many entries, each of which costs some nanoseconds: no more than it is
 * worth, and a quarter of all cores is left to processes that start meanwhile. A team waits for the
 * last of its threads, so one whose core is taken costs all of them a slice of the scheduler's: 4
 * to 20 ms for each of some thirty products of a shape, on 16 cores. */
int team_size(int64_t entries);

/* Ends the threads of teams that wait for work; the next team starts its own. A process that is forked
 * while they wait has none of them, and its first team would wait for them for ever. */
void team_end(void);

#endif
