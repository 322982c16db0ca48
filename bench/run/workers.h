/* Work on several devices at once: a process each, which takes the next item when it is done with
 * one, on cores of its own. */
#ifndef BENCH_RUN_WORKERS_H
#define BENCH_RUN_WORKERS_H

#include <stddef.h>

#include "bench/process/wire.h"
#include "reports/run/rundir.h"

/* What a worker tells of an item. */
struct worker_done {
    size_t worker, item;
    int status; /* 0, or -1 after error(): the fleet stops */
    char summary[RUNDIR_TEXT];
    char sandbox[WIRE_TEXT];
};

struct workers {
    size_t workers;
    const char *const *pci; /* the address of each worker's GPU or ""; NULL: none has its own */
    const size_t *items;    /* in the order in which they are handed out */
    size_t count;
    void *context;
    /* In the worker's process, before its first item. 0, or -1 after error(). */
    int (*start)(void *context, size_t worker);
    /* In the worker's process. */
    void (*carry_out)(void *context, struct worker_done *done);
    /* In the caller's process, as items end. */
    void (*report)(void *context, const struct worker_done *done);
};

/* One worker is the calling process itself, and keeps its cores; several have shares as
 * bench/run/worker_cores.h tells. 0 when every item is done; -1 after error(), also where a worker
 * died or was interrupted: items already done are done. */
int workers_run(const struct workers *fleet);

#endif
