/* The cores of this process: what it may use, and what its arithmetic does. */
#ifndef BENCH_BASE_CORES_H
#define BENCH_BASE_CORES_H

/* For reference products and checks, from now on; without it, all there are. */
void cores_use(int count);

/* How many the process may run on; 1 where that cannot be told. */
int cores_allowed(void);

#endif
