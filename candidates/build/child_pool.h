/* Compilers at work side by side, as many as there is memory for. */
#ifndef CANDIDATES_BUILD_CHILD_POOL_H
#define CANDIDATES_BUILD_CHILD_POOL_H

#include <stddef.h>

#include "bench/base/child.h"

/* Jobs 0 to count - 1, each a program. They start in this order, as many at once as `most` and
 * memory allow; one at least. */
struct child_pool {
    size_t count, most;
    double limit_seconds;     /* a job that runs longer is killed: CHILD_TOO_LONG */
    double memory;            /* bytes that all who run may need */
    const volatile int *stop; /* when it becomes nonzero all are killed (CHILD_STOPPED) */
    void *context;
    double (*needs)(void *context, size_t job); /* bytes; NULL: memory does not count */
    /* Starts the job's child, which stays the caller's, and points to it; leaves NULL there where
     * the job needs no program and is done. 0, or -1: the pool ends. */
    int (*start)(void *context, size_t job, struct child **child);
    /* Called when the child has ended or was killed. Returns 0; CHILD_AGAIN to start the job once
     * more, with no other beside it; or -1 to end the pool. */
    int (*end)(void *context, size_t job);
};
#define CHILD_AGAIN 1

/* 0 when all jobs are done; 1 when it was stopped; -1 after error(). Whenever it returns, every
 * child that was started has been handed to end. */
int child_pool_run(const struct child_pool *pool);

#endif
