/* One function of the runner for each request of bench/process/wire.h. */
#ifndef BENCH_RUNNER_REQUESTS_REQUESTS_H
#define BENCH_RUNNER_REQUESTS_REQUESTS_H

#include "bench/runner/runner.h"

/* runner_open and so on: each carries out one request and fills its part of the reply.
 * reply->status is -1 with a text for a fault of the harness or machine; an arm's fate is
 * reply->outcome. */
#define X(verb, name)                                                                              \
    void runner_##name(struct runner *runner, const struct wire_##name *request,                   \
                       struct wire_reply *reply);
WIRE_REQUESTS(X)
#undef X

/* Makes a small product of whatever is in memory by the first library of the device, and forgets it:
 * cuBLAS takes a tenth of a second for the first in a process. 0, also where there is no library,
 * or -1. */
int runner_rehearse(struct runner *runner);

/* Gives a baseline's arm, which has algorithms, one of them. Fills reply->add.variant. */
void runner_tune(struct runner *runner, struct arm *arm, const struct wire_tune *request,
                 struct wire_reply *reply);

/* The bytes in the shared memory as an arm. */
void runner_add_recording(struct runner *runner, const struct wire_add *request,
                          struct wire_reply *reply);

/* A call that no recording keeps. Where the runner records, what the kernel does in it counts as
 * its setup, so that its memory is the recorder's. Returns the launch's status. */
int runner_launch_unkept(struct runner *runner, const struct arm *arm,
                         const struct gemm_args *args);

#endif
