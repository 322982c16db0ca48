/* Work that a thread does beside its caller's. */
#ifndef BENCH_BASE_BESIDE_H
#define BENCH_BASE_BESIDE_H

#include <pthread.h>
#include <stdbool.h>

/* Keeps its place in memory until it is ended. A zeroed one is ended. */
struct beside {
    pthread_t thread;
    void (*work)(void *context);
    void *context;
    bool begun, runs; /* runs: there is a thread */
};

/* Begins work(context) in a thread, where one can be had. */
void beside_begin(struct beside *beside, void (*work)(void *context), void *context);

/* Waits until the work is done; does it where there was no thread. A second call does nothing. */
void beside_end(struct beside *beside);

#endif
