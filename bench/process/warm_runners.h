/* Runners that have opened the device and wait for a shape, so that a unit need not wait for them:
 * a CUDA driver opens GPUs for one process of a host after the other, 0.1 s each, and a library
 * takes 0.1 s for its first product. Each holds a context, which takes some 0.5 GB of a GPU. None
 * has loaded a kernel under test. */
#ifndef BENCH_PROCESS_WARM_RUNNERS_H
#define BENCH_PROCESS_WARM_RUNNERS_H

#include <stdbool.h>
#include <stddef.h>

#include "bench/process/runner_process.h"

#define WARM_RUNNERS_MOST 16
#define WARM_RUNNERS_OPEN_SECONDS 300 /* that a runner may take to open a device */

struct warm_runner {
    struct runner_process process;
    int kind;  /* the caller's word for how it was asked to open the device */
    bool open; /* has said so */
};

/* All zero means: there are none, and none may be started. */
struct warm_runners {
    struct warm_runner list[WARM_RUNNERS_MOST];
    size_t count, most;
};

/* Starts as many of a kind as are missing, each with so much shared memory, asks them to open the
 * device and does not wait: they start side by side. There are never more than `most` of them, or
 * than this process may use cores. 0, or -1 after error(). */
int warm_runners_fill(struct warm_runners *runners, int kind, const struct wire_open *open,
                      size_t wanted, size_t shared_bytes);

/* Hands over one of the kind with that much shared memory, if there is one whose device is open or
 * will be. */
bool warm_runners_take(struct warm_runners *runners, int kind, size_t shared_bytes,
                       struct runner_process *process);

size_t warm_runners_count(const struct warm_runners *runners, int kind);

/* Whether all have opened the device. Does not wait. */
bool warm_runners_are_settled(struct warm_runners *runners);

/* Waits until all have opened the device, so that nothing of that falls into timed calls. */
void warm_runners_settle(struct warm_runners *runners);

void warm_runners_end(struct warm_runners *runners);

#endif
