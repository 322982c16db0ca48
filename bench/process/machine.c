#include "bench/process/machine.h"

#include <stdio.h>
#include <stdlib.h>

#include "bench/base/error.h"

enum { LIMIT_SECONDS = 120, SHARED_BYTES = 4096 };

/* Asks for the rows 0, 1, ... of a list. Returns how many there are, at most `most`, or -1. */
static int ask_list(struct wire_request (*request_of)(int index), int most,
                    struct wire_reply *replies, struct runner_process *keeper) {
    struct runner_process process;
    int code = 0, count = 0;
    if (process_start(&process, SHARED_BYTES) < 0)
        return -1;
    for (; count >= 0 && count < most; count++) {
        const struct wire_request request = request_of(count);
        struct wire_reply *reply = &replies[count];
        if (process_ask(&process, &request, LIMIT_SECONDS, reply, &code) != PROCESS_ANSWERED)
            count = error("the runner died (%d) when asked about this machine: %s", code,
                          process.printed);
        else if (reply->status < 0)
            count = error("the runner cannot describe this machine: %s", process.printed);
        else if (reply->status == 1)
            break;
        if (count < 0)
            break;
    }
    if (keeper && count >= 0)
        *keeper = process;
    else
        process_end(&process);
    return count;
}

static struct wire_request ask_device(int index) {
    return wire_device_request((struct wire_device){.index = index});
}

static struct wire_request ask_baseline(int index) {
    return wire_baseline_request((struct wire_baseline){.index = index});
}

int machine_devices(struct machine_device *list, int most, struct runner_process *keeper) {
    struct wire_reply *replies = calloc((size_t)most, sizeof *replies);
    int count = replies ? ask_list(ask_device, most, replies, keeper) : error("no memory");
    for (int i = 0; i < count; i++) {
        const struct wire_device_reply *told = &replies[i].device;
        list[i] = (struct machine_device){.ordinal = told->ordinal, .info = told->info};
        snprintf(list[i].kind, sizeof list[i].kind, "%s", told->kind);
        snprintf(list[i].why, sizeof list[i].why, "%s", replies[i].text);
    }
    free(replies);
    return count;
}

int machine_baselines(struct machine_baseline *list, int most) {
    struct wire_reply *replies = calloc((size_t)most, sizeof *replies);
    int count = replies ? ask_list(ask_baseline, most, replies, NULL) : error("no memory");
    for (int i = 0; i < count; i++) {
        const struct wire_baseline_reply *told = &replies[i].baseline;
        list[i] = (struct machine_baseline){.device = told->device,
                                            .accumulate = told->accumulate,
                                            .autotuned = told->autotuned != 0,
                                            .optional = told->optional != 0};
        snprintf(list[i].name, sizeof list[i].name, "%s", told->name);
    }
    free(replies);
    return count;
}
