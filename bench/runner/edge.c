#include "bench/runner/edge.h"

#include "bench/base/error.h"
#include "bench/runner/before_calls.h"
#include "bench/runner/chain.h"
#include "timing/stats.h"

/* In the place of calls: whatever comes before those comes before these, too. Where the hold gave
 * up *seconds is negative. */
static int time_changes(struct runner *runner, const struct wire_interval *how, double *seconds) {
    const struct device_ops *device = runner->device;
    void *state = runner->device_state;
    const struct shape s = runner->shape;
    struct arm plain = {.inputs = &runner->operands[0],
                        .problem = {s.m, s.n, s.k, 0},
                        .reads = WIRE_B_ROW | WIRE_B_COL};
    const int calls = how->stream_calls;
    struct chain chain = chain_start(runner, &plain, how->whole);
    const char *why;
    int lost = before_calls(runner, how, &plain) | device->hold(state) | device->start(state);
    for (int i = 0; i < calls; i++)
        lost |= chain_next(runner, &chain);
    lost |= device->stop(state);
    device->let_go(state);
    lost |= device->sync(state, &why);
    if (runner->inputs_there)
        lost |= chain_end(runner, &chain);
    if (lost < 0 || device->elapsed(state, seconds) < 0)
        return -1;
    *seconds = device->gave_up(state) ? -1 : *seconds;
    return 0;
}

int edge_time(struct runner *runner, const struct wire_interval *how) {
    const int calls = how->stream_calls;
    double seconds;
    if (runner->edge.calls != calls || runner->edge.whole != how->whole)
        runner->edge.count = 0;
    runner->edge.calls = calls;
    runner->edge.whole = how->whole;
    const int wanted = runner->edge.count < RUNNER_EDGES ? RUNNER_EDGES : runner->edge.count + 1;
    for (int tries = 0; runner->edge.count < wanted && tries < 3 * RUNNER_EDGES; tries++) {
        if (time_changes(runner, how, &seconds) < 0)
            return -1;
        if (seconds > 0)
            runner->edge.last[runner->edge.count++ % RUNNER_EDGES] = seconds;
    }
    if (runner->edge.count < RUNNER_EDGES)
        return error("%d small kernels take the host longer than %g s to launch, time and again: "
                     "the machine is too busy",
                     calls, DEVICE_HOLD_SECONDS);
    runner->edge.median = stats_median(runner->edge.last, RUNNER_EDGES);
    return 0;
}
