/* The cores of this process. */
#ifndef BENCH_BASE_CORES_H
#define BENCH_BASE_CORES_H

/* How many cores the process may run on; 1 if that is not known. */
int cores_allowed(void);

#endif
