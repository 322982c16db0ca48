/* Work on several devices at once: a process each, which takes the next round of a unit when it is
 * done with one, on cores of its own. */
#ifndef BENCH_RUN_WORKERS_H
#define BENCH_RUN_WORKERS_H

#include <stdbool.h>
#include <stddef.h>

#include "bench/process/wire.h"
#include "bench/run/turns.h"
#include "reports/run/rundir.h"

/* What a worker tells of an item. */
struct worker_done {
    struct work_item item;
    int status;                    /* 0, or -1 after error(): all workers stop */
    bool ended;                    /* the unit has no more rounds */
    bool refused;                  /* a kernel or library of it failed a check */
    double seconds, check_seconds; /* that the item took; its checks and audit among that */
    bool unfit;                    /* status -1: its device is no place to measure */
    char reference[8];             /* who makes reference products: gpu or cpu */
    double write_seconds;          /* that storing it took */
    char summary[RUNDIR_TEXT];
    char sandbox[WIRE_TEXT];
};

/* The worker that a process is. */
struct worker;

struct workers {
    size_t count;
    const char *const *pci; /* the address of each worker's GPU or ""; NULL: none has its own */
    const struct work_item *items; /* in the order in which they are handed out */
    size_t item_count, units;      /* units: more than any item's unit */
    bool moves;                    /* see struct turns */
    void *context;
    /* In the process of the worker-th worker: takes items and tells of each until there is none. 0,
     * or -1 after error(). */
    int (*work)(void *context, size_t number, struct worker *worker);
    /* In the caller's process, as items end. */
    void (*report)(void *context, const struct worker_done *done);
};

/* The next item, or false where there is none, or work is to stop. Waits as long as only others can
 * say, or another one should have what is left, but for that no longer than ten seconds. */
bool worker_take(struct worker *worker, struct work_item *item);

/* The worker's share of what nobody has taken yet, rounded up. */
size_t worker_ahead(struct worker *worker);

/* Tells of an item. 0, or -1 where nobody listens any more. */
int worker_tell(struct worker *worker, const struct worker_done *done);

/* One worker is the calling process itself, and keeps its cores; several have shares as
 * bench/run/worker_cores.h tells. 0 when every item is done; -1 after error(),
 * also where a worker died or was interrupted: items already done are done. */
int workers_run(const struct workers *workers);

#endif
