/* One timed interval. */
#ifndef BENCH_RUNNER_INTERVAL_H
#define BENCH_RUNNER_INTERVAL_H

#include "bench/runner/runner.h"

struct runner_times {
    double seconds;      /* of the interval, of one call; negative when marked */
    double host_seconds; /* that the kernel's launch took the host, of one call */
};

/* One interval of the lens around the arm's call into outputs[output], or of a LENS_HELD around
 * calls in a row: the C of one of these is then in outputs[output]. seal: the stream's next work
 * behind the stop is a look at that C, kept under the output's number; a LENS_HOST_CLOCK, which has
 * no stop, cannot have it. Returns an enum outcome, which the reply says more of; *times is set when it is OK. Where the reply has a fault of
 * ours then, or the device is lost, it is OUTCOME_OK. */
int runner_interval(struct runner *runner, const struct wire_interval *how, struct arm *arm,
                    enum lens lens, int output, bool seal, struct runner_times *times,
                    struct wire_reply *reply);

/* How an arm's C is looked at: its own part, without padding, keyed by the secret. */
struct look runner_look(const struct runner *runner, const struct arm *arm, const struct guarded *c,
                        uint64_t secret);

/* Seals what is in C now. 0 or -1. */
int runner_seal(const struct runner *runner, const struct arm *arm, const struct guarded *c,
                uint64_t secret, uint64_t *seal);

#endif
