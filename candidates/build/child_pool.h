/* Compilers at work side by side. */
#ifndef CANDIDATES_BUILD_CHILD_POOL_H
#define CANDIDATES_BUILD_CHILD_POOL_H

#include <stddef.h>

#include "bench/base/child.h"

/* Jobs 0 to count - 1, each a program. They start in this order, at most `most` at once. */
struct child_pool {
    size_t count, most;       /* most: at least 1 */
    double limit_seconds;     /* a job that runs longer is killed: CHILD_TOO_LONG */
    const volatile int *stop; /* when it becomes nonzero all are killed: CHILD_STOPPED; or NULL */
    void *context;
    /* Starts the job's child. 0, or -1: the pool ends. */
    int (*start)(void *context, size_t job, struct child *child);
    /* Called when the child has ended or was killed. 0, or -1: the pool ends. */
    int (*end)(void *context, size_t job, const struct child *child);
};

/* 0 when all jobs are done; 1 when it was stopped; -1 after error(). Whenever it returns, every
 * child that was started has been handed to end. */
int child_pool_run(const struct child_pool *pool);

#endif
