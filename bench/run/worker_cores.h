/* Which processors belong to which of several workers, so that none disturbs another. */
#ifndef BENCH_RUN_WORKER_CORES_H
#define BENCH_RUN_WORKER_CORES_H

#include <sched.h>
#include <stddef.h>

/* Workers at most. */
#define WORKER_CORES_MOST 32

/* The share of a worker in the processors that are allowed: of those near its GPU, as sysfs has it
 * (mounted at `sys`), as many whole physical cores as of the other workers there. Where GPUs are
 * near some of the same processors only, or to too few, all are shared evenly; where workers
 * outnumber the cores, single processors are. pci[w] is the address of worker w's GPU, "" for none;
 * pci is NULL where there are none. Empty where the workers outnumber the processors. */
void worker_cores_of(const char *sys, const cpu_set_t *allowed, const char *const *pci,
                     size_t workers, size_t worker, cpu_set_t *mine);

#endif
