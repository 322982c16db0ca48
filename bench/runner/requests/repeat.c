/* Runner: many calls behind each other, as long as a counter of energy needs. */
#include "bench/base/outcome.h"
#include "bench/runner/before_calls.h"
#include "bench/runner/requests/requests.h"

/* Each call has the operands and the C of its place in a row, and begins them again behind the last. */
static int make_calls(struct runner *runner, const struct arm *arm,
                      const struct wire_repeat *request, struct wire_repeat_reply *made) {
    const double end = runner_now() + request->seconds;
    const int operands = arm->operands->count, outputs = runner->row_count;
    const int row = operands < outputs ? operands : outputs;
    int status = 0;
    while (made->calls < request->calls && status == 0 && runner_now() < end) {
        const int number = (int)(made->calls++ % (uint64_t)row);
        const struct gemm_args args = runner_args(runner, arm, number, &runner->row[number]);
        status = runner_launch(arm, &args);
    }
    return status;
}

void runner_repeat(struct runner *runner, const struct wire_repeat *request,
                   struct wire_reply *reply) {
    static const struct wire_interval warm = {.cache = CACHE_WARM};
    struct arm *arm = &runner->arms[request->arm];
    *wire_in_hand(runner->shared, runner->shared_bytes) = request->arm;
    if (before_calls(runner, &warm, arm, 1) < 0) {
        runner_fault(reply, "the memory before repeated calls could not be written");
        return;
    }
    if (!runner_await(runner, arm, 0, reply))
        return;
    runner->strange |= !arm->baseline;
    const double start = runner_now();
    const int status = make_calls(runner, arm, request, &reply->repeat);
    runner_forget_left(runner);
    if (runner_await(runner, arm, status, reply))
        reply->repeat.seconds = runner_now() - start;
}
