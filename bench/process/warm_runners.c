#include "bench/process/warm_runners.h"

#include <string.h>

#include "bench/base/cores.h"

size_t warm_runners_count(const struct warm_runners *runners, int kind) {
    size_t count = 0;
    for (size_t i = 0; i < runners->count; i++)
        count += runners->list[i].kind == kind;
    return count;
}

int warm_runners_fill(struct warm_runners *runners, int kind, const struct wire_open *open,
                      size_t wanted, size_t shared_bytes) {
    const struct wire_request request = wire_open_request(*open);
    const size_t cores = (size_t)cores_allowed();
    const size_t most = cores < runners->most ? cores : runners->most;
    for (size_t there = warm_runners_count(runners, kind); there < wanted && runners->count < most;
         there++) {
        struct warm_runner *runner = &runners->list[runners->count];
        *runner = (struct warm_runner){.kind = kind};
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

bool warm_runners_take(struct warm_runners *runners, int kind, size_t shared_bytes,
                       struct runner_process *process) {
    for (size_t i = 0; i < runners->count;) {
        const struct warm_runner *runner = &runners->list[i];
        if (runner->kind != kind || runner->process.shared_bytes < shared_bytes) {
            i++;
        } else if (is_open(runners, i)) {
            *process = runner->process;
            take_out(runners, i);
            return true;
        }
    }
    return false;
}

bool warm_runners_are_settled(struct warm_runners *runners) {
    for (size_t i = 0; i < runners->count;) {
        const struct warm_runner *runner = &runners->list[i];
        if (!runner->open && !process_has_spoken(&runner->process))
            return false;
        i += is_open(runners, i);
    }
    return true;
}

void warm_runners_settle(struct warm_runners *runners) {
    for (size_t i = 0; i < runners->count;)
        i += is_open(runners, i);
}

void warm_runners_end(struct warm_runners *runners) {
    while (runners->count)
        process_end(&runners->list[--runners->count].process);
}
