/* What a kernel asks of CUDA while it is called: recorded through CUPTI in the runner
 * (trace_cupti.c), read by the judge (correctness/audit/behaviour.h). Apart from the timed run,
 * since recording costs time. */
#ifndef BENCH_DEVICE_TRACE_H
#define BENCH_DEVICE_TRACE_H

#include "correctness/audit/behaviour.h"

/* Loads CUPTI, which is not linked, unless it cannot be had: before a kernel is loaded, so that
 * none sees by it whether its process records, or keeps it from being loaded later. */
void trace_load(void);

/* Starts recording in this process. 0, or -1 with *why (static
 * storage) where it cannot: no libcupti, or another tool holds it. Call before the first CUDA call
 * to be sure to see everything. */
int trace_start(const char **why);

/* What happens between begin and end belongs to this call (0 setup, 1 the first launch, 2 ...). The
 * device must be open. Both wait for the device. If the kernel broke the device, the next sync says
 * so. 0, or -1 after error(). */
int trace_begin(int call);
int trace_end(int call);

/* Stops, and copies at most `most` events to `events`, in order of call and time. *count tells how
 * many were kept, BEHAVIOUR_MOST a call of each sort at most, *dropped how many were lost by CUPTI
 * or, of calls after the first, not kept: with either too many, calls may look idle that were not.
 * 0, or -1 after error(). */
int trace_collect(struct behaviour_event *events, uint64_t most, uint64_t *count,
                  uint64_t *dropped);

#endif
