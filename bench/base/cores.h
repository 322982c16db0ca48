/* The cores of this process: what it may use, and what its arithmetic does. */
#ifndef BENCH_BASE_CORES_H
#define BENCH_BASE_CORES_H

/* Reference products and checks use so many cores from now on. Without this call they use all there
 * are. */
void cores_use(int count);

/* How many cores the process may run on; 1 if that is not known. */
int cores_allowed(void);

#endif
