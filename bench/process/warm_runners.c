#include "bench/process/warm_runners.h"

#include <string.h>

#include "bench/base/cores.h"

int warm_runners_fill(struct warm_runners *runners, const struct wire_open *open, size_t wanted,
                      size_t shared_bytes) {
    const struct wire_request request = wire_open_request(*open);
    const bool traced = open->trace != 0;
    const size_t cores = (size_t)cores_allowed();
    const size_t most = cores < runners->most ? cores : runners->most;
    for (size_t i = 0; i < runners->count && wanted > 0; i++)
        wanted -= runners->list[i].traced == traced;
    for (; wanted > 0 && runners->count < most; wanted--) {
        struct warm_runner *runner = &runners->list[runners->count];
        *runner = (struct warm_runner){.traced = traced};
        if (process_start(&runner->process, shared_bytes) < 0)
            return -1;
        runners->count++;
        if (process_send(&runner->process, &request) < 0)
            return -1;
    }
    return 0;
}

static void take_out(struct warm_runners *runners, size_t at) {
    struct warm_runner *runner = &runners->list[at];
    memmove(runner, runner + 1, (--runners->count - at) * sizeof *runner);
}

/* Waits until it has opened the device. One that cannot is ended: whoever needs a runner starts one
 * then, and is told why. */
static bool is_open(struct warm_runners *runners, size_t at) {
    static struct wire_reply reply;
    struct warm_runner *runner = &runners->list[at];
    int code;
    if (!runner->open)
        runner->open = process_await(&runner->process, WARM_RUNNERS_OPEN_SECONDS, &reply, &code) ==
                           PROCESS_ANSWERED &&
                       reply.status == 0;
    if (runner->open)
        return true;
    process_end(&runner->process);
    take_out(runners, at);
    return false;
}

bool warm_runners_take(struct warm_runners *runners, bool traced, size_t shared_bytes,
                       struct runner_process *process) {
    for (size_t i = 0; i < runners->count;) {
        const struct warm_runner *runner = &runners->list[i];
        if (runner->traced != traced || runner->process.shared_bytes < shared_bytes) {
            i++;
        } else if (is_open(runners, i)) {
            *process = runner->process;
            take_out(runners, i);
            return true;
        }
    }
    return false;
}

void warm_runners_settle(struct warm_runners *runners) {
    for (size_t i = 0; i < runners->count;)
        i += is_open(runners, i);
}

void warm_runners_end(struct warm_runners *runners) {
    while (runners->count)
        process_end(&runners->list[--runners->count].process);
}
