#include "bench/process/machine.h"

#include <stdio.h>
#include <stdlib.h>

#include "bench/base/error.h"
#include "bench/base/need.h"

enum { LIMIT_SECONDS = 120, SHARED_BYTES = 4096 };

/* Asks for the rows 0, 1, ... of a list. Returns how many there are, at most `most`, or -1. */
static int ask_rows(struct runner_process *process, struct wire_request (*request_of)(int index),
                    int most, struct wire_reply *replies) {
    int code = 0;
    for (int count = 0; count < most; count++) {
        const struct wire_request request = request_of(count);
        struct wire_reply *reply = &replies[count];
        if (process_ask(process, &request, LIMIT_SECONDS, reply, &code) != PROCESS_ANSWERED)
            return error("the runner died (%d) when asked about this machine: %s", code,
                         process->printed);
        if (reply->status < 0)
            return error("the runner cannot describe this machine: %s", process->printed);
        if (reply->status == 1)
            return count;
    }
    return most;
}

static struct wire_request ask_device(int index) {
    return wire_device_request((struct wire_device){.index = index});
}

static struct wire_request ask_baseline(int index) {
    return wire_baseline_request((struct wire_baseline){.index = index});
}

int machine_devices(struct machine_device *list, int most, struct runner_process *keeper) {
    struct runner_process process;
    if (process_start(&process, SHARED_BYTES) < 0)
        return -1;
    struct wire_reply *replies = need((size_t)most, sizeof *replies);
    const int count = ask_rows(&process, ask_device, most, replies);
    if (keeper && count >= 0)
        *keeper = process;
    else
        process_end(&process);
    for (int i = 0; i < count; i++) {
        const struct wire_device_reply *told = &replies[i].device;
        list[i] = (struct machine_device){.ordinal = told->ordinal, .info = told->info};
        snprintf(list[i].kind, sizeof list[i].kind, "%s", told->kind);
        snprintf(list[i].why, sizeof list[i].why, "%s", replies[i].text);
    }
    free(replies);
    return count;
}

static int load_library(struct runner_process *process, const char *cache,
                        struct machine_library *library) {
    static struct wire_reply reply;
    struct wire_library request = {.cache = ""};
    int code = 0;
    snprintf(request.folder, sizeof request.folder, "%s", library->given);
    snprintf(request.cache, sizeof request.cache, "%s", cache);
    const struct wire_request asked = wire_library_request(request);
    if (process_ask(process, &asked, LIMIT_SECONDS, &reply, &code) != PROCESS_ANSWERED)
        return error("--library %s: the runner died (%d) when it loaded it: %s", library->given,
                     code, process->printed);
    if (reply.status < 0)
        return error("--library %s: %s", library->given, reply.text);
    memcpy(library->library, reply.library.library, sizeof library->library);
    memcpy(library->release, reply.library.release, sizeof library->release);
    memcpy(library->folder, reply.library.folder, sizeof library->folder);
    return 0;
}

int machine_baselines(struct machine_library *libraries, int library_count, const char *cache,
                      struct wire_baseline_reply *list, int most) {
    struct runner_process process;
    struct wire_reply *replies = need((size_t)most, sizeof *replies);
    int count = process_start(&process, SHARED_BYTES);
    if (count == 0) {
        for (int i = 0; i < library_count && count == 0; i++)
            count = load_library(&process, cache, &libraries[i]);
        if (count == 0)
            count = ask_rows(&process, ask_baseline, most, replies);
        process_end(&process);
    }
    for (int i = 0; i < count; i++)
        list[i] = replies[i].baseline;
    free(replies);
    return count;
}
