/* Runner: one timed interval. Nothing here prints, allocates or logs between start and stop. */
#include "bench/runner/interval.h"

#include <stdio.h>

#include "bench/base/outcome.h"
#include "bench/record/player.h"
#include "bench/runner/before_calls.h"

/* One call of the arm. Returns the launch's status and adds what the launch took the host. */
static int call(const struct runner *runner, const struct arm *arm, int number,
                const struct guarded *c, double *host_seconds) {
    struct gemm_args args = runner_args(runner, arm, number, c);
    const double before = runner_now();
    int status = runner_launch(arm, &args);
    *host_seconds += runner_now() - before;
    return status;
}

/* Waits for the device. Where it is lost, *lost has its words. 0 or -1. */
static int await(const struct runner *runner, const char **lost) {
    const char *why;
    if (runner->device->sync(runner->device_state, &why) == 0)
        return 0;
    *lost = why;
    return -1;
}

/* An outcome is what the kernel has done: its launch has failed, or the device is lost. */
static int trouble(const struct arm *arm, int status, const char *lost, struct wire_reply *reply) {
    if (status != 0)
        runner_explain(arm->ops, status, reply->text);
    else if (lost)
        snprintf(reply->text, sizeof reply->text, "%s", lost);
    else
        runner_fault(reply, "the clock cannot be read, or a hold, a copy or a sweep failed");
    return status != 0 ? OUTCOME_LAUNCH_FAILED : lost ? OUTCOME_DEVICE_ERROR : OUTCOME_OK;
}

struct look runner_look(const struct runner *runner, const struct arm *arm, const struct guarded *c,
                        uint64_t secret) {
    return (struct look){.element = runner->element,
                         .c = c->data,
                         .rows = runner->shape.m,
                         .cols = runner->shape.n,
                         .ld = arm->problem.n,
                         .secret = secret};
}

int runner_seal(const struct runner *runner, const struct arm *arm, const struct guarded *c,
                uint64_t secret, uint64_t *seal) {
    const struct look look = runner_look(runner, arm, c, secret);
    struct seen seen;
    if (runner->device->look(runner->device_state, &look, 0) < 0 ||
        runner->device->looks(runner->device_state, 1, &seen) < 0)
        return -1;
    *seal = seen.seal;
    return 0;
}

/* The stop mark has been enqueued: what comes behind it. A kernel that still writes when it is
 * reached is met by the look. */
static int follow(struct runner *runner, struct arm *arm, const struct guarded *c, int output,
                  bool seal, bool held, const char **why) {
    const struct device_ops *device = runner->device;
    void *state = runner->device_state;
    int lost = 0;
    if (seal) {
        const struct look look = runner_look(runner, arm, c, runner->secret);
        lost = device->look(state, &look, output);
    }
    if (held)
        device->let_go(state);
    return lost | await(runner, why);
}

/* Prepares a call that finds the device as another arm has left it. */
static int prepare_plain(struct runner *runner, const struct wire_interval *how) {
    const int lost = runner->device->reset_persistence(runner->device_state);
    return how->cache == CACHE_COLD ? lost | runner->device->sweep(runner->device_state) : lost;
}

/* The device is idle and the processor is not: after a sleep it launches 5 us more slowly (16
 * instead of 11 on an H100's host), by an amount that differs from process to process, for every
 * arm alike. What came before, such as the mask on the C of the arm before, is no part of an interval: the
 * host's clock would count it, and a launch behind it would be hidden. Behind a hold it waits anyway. */
static int leave_gap(struct runner *runner, const struct wire_interval *how, bool held,
                     const char **why) {
    if (held && how->gap_seconds <= 0 && how->cache != CACHE_COLD)
        return 0;
    const int lost = await(runner, why);
    runner_wait_until(runner_now() + how->gap_seconds);
    return lost;
}

/* Once the device is idle the C of a call in a row goes to the output. */
static int keep_product(struct runner *runner, const struct arm *arm, const struct guarded *c,
                        int output) {
    const int64_t ld = arm->problem.n;
    return runner->device->copy(runner->device_state, c->data, ld, runner->outputs[output].data, ld,
                                runner->shape.m, runner->shape.n);
}

/* Plants the delay of so many calls of a delayed arm, behind the last: in front of a call the
 * device would wait while the host launches it, and less than the delay would show. Between calls
 * in a row it would change them: after a pause a large product begins at a lower clock (H200: 1343
 * MHz and not 1446, 111 us and not 102), or at a higher one where it had met the card's power cap.
 */
static int plant_delay(struct runner *runner, const struct wire_interval *how,
                       const struct arm *arm, int calls) {
    return arm->delayed ? runner->device->delay(runner->device_state,
                                                calls * arm->delayed * how->planted_seconds)
                        : 0;
}

/* All calls of the interval, one after the other. Returns the last launch's status. */
static int make_calls(struct runner *runner, const struct wire_interval *how, struct arm *arm,
                      const struct guarded *c, int calls, double *host_seconds, int *lost) {
    int status = 0;
    for (int i = 0; i < calls && status == 0; i++) {
        if (i + 1 == runner->ends)
            *lost |= runner_write_a(runner, i, runner->late_a);
        status = call(runner, arm, i, &c[i], host_seconds);
    }
    *lost |= plant_delay(runner, how, arm, calls);
    return status;
}

/* Idle device, start, one call, stop, wait: what a caller that waits sees. It finds the caches as
 * another arm has left them. A lens that is held does the same behind a hold, which the host lets
 * go when all is enqueued: the device meets start, kernel and stop without a gap, and the interval
 * is what the kernel costs it. Its calls find what before_calls.h says. A lens of many has
 * stream_calls calls between one start and stop, each with operands and a C of its own, and is
 * divided by their number. There is nothing between the calls: one whose launch allows it may begin
 * before the call in front of it has ended.
 * A lens of the host's clock has no events: it is read before the call and when the device is idle
 * again. Nothing may come behind it.
 * An interval is marked where its hold gave up: a call waited for the device, or took the host
 * longer than DEVICE_HOLD_SECONDS. Then it holds the host's time. */
int runner_interval(struct runner *runner, const struct wire_interval *how, struct arm *arm,
                    enum lens lens, int output, bool seal, struct runner_times *times,
                    struct wire_reply *reply) {
    const struct device_ops *device = runner->device;
    void *state = runner->device_state;
    const bool held = words_lens_is(lens, LENS_HELD);
    const bool events = !words_lens_is(lens, LENS_HOST_CLOCK);
    const bool many = words_lens_is(lens, LENS_MANY);
    const int row = many ? how->stream_calls : 1;
    const int calls = many && runner->ends ? runner->ends : row;
    const char *why = NULL;

    *times = (struct runner_times){0};
    const struct guarded *c = held ? runner->row : &runner->outputs[output];
    const struct guarded *seen = &c[many ? calls - 1 - how->behind : 0];
    int lost = held ? before_calls(runner, how, arm, row) : prepare_plain(runner, how);
    lost |= leave_gap(runner, how, held, &why);
    lost |= held ? device->hold(state) : 0;
    const double before = runner_now();
    lost |= events ? device->start(state) : 0;
    runner->strange |= !arm->baseline;
    int status = make_calls(runner, how, arm, c, calls, &times->host_seconds, &lost);
    lost |= events ? device->stop(state) : 0;

    runner_forget_left(runner);
    lost |= follow(runner, arm, seen, output, seal, held, &why);
    times->seconds = runner_now() - before;
    lost |= held ? keep_product(runner, arm, seen, output) : 0;
    if (status != 0 || lost < 0 || (events && device->elapsed(state, &times->seconds) < 0))
        return trouble(arm, status, why, reply);
    times->seconds /= held && device->gave_up(state) ? -calls : calls;
    times->host_seconds /= calls;
    return OUTCOME_OK;
}
