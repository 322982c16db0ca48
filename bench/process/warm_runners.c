#include "bench/process/warm_runners.h"

#include <string.h>

#include "bench/base/cores.h"

int warm_runners_fill(struct warm_runners *spares, const struct wire_request *open, size_t wanted,
                      size_t shared_bytes) {
    const bool traced = open->trace != 0;
    const size_t cores = (size_t)cores_allowed();
    const size_t most = cores < spares->most ? cores : spares->most;
    for (size_t i = 0; i < spares->count && wanted > 0; i++)
        wanted -= spares->list[i].traced == traced;
    for (; wanted > 0 && spares->count < most; wanted--) {
        struct warm_runner *spare = &spares->list[spares->count];
        *spare = (struct warm_runner){.traced = traced};
        if (process_start(&spare->process, shared_bytes) < 0)
            return -1;
        spares->count++;
        if (process_send(&spare->process, open) < 0)
            return -1;
    }
    return 0;
}

static void take_out(struct warm_runners *spares, size_t at) {
    struct warm_runner *spare = &spares->list[at];
    memmove(spare, spare + 1, (--spares->count - at) * sizeof *spare);
}

/* Waits until it has opened the device. One that cannot is no spare and goes: who needs one starts
 * it and is told why. */
static bool is_open(struct warm_runners *spares, size_t at) {
    static struct wire_reply reply;
    struct warm_runner *spare = &spares->list[at];
    int code;
    if (!spare->open)
        spare->open = process_await(&spare->process, WARM_RUNNERS_OPEN_SECONDS, &reply, &code) ==
                          PROCESS_ANSWERED &&
                      reply.status == 0;
    if (spare->open)
        return true;
    process_end(&spare->process);
    take_out(spares, at);
    return false;
}

bool warm_runners_take(struct warm_runners *spares, bool traced, size_t shared_bytes,
                       struct runner_process *process) {
    for (size_t i = 0; i < spares->count;) {
        const struct warm_runner *spare = &spares->list[i];
        if (spare->traced != traced || spare->process.shared_bytes < shared_bytes) {
            i++;
        } else if (is_open(spares, i)) {
            *process = spare->process;
            take_out(spares, i);
            return true;
        }
    }
    return false;
}

void warm_runners_settle(struct warm_runners *spares) {
    for (size_t i = 0; i < spares->count;)
        i += is_open(spares, i);
}

void warm_runners_end(struct warm_runners *spares) {
    while (spares->count)
        process_end(&spares->list[--spares->count].process);
}
