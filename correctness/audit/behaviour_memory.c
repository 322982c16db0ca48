/* How much memory of the device a kernel holds. */
#include "correctness/audit/behaviour.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "bench/base/need.h"

struct held {
    uint64_t address, bytes;
    int32_t call; /* that has allocated it; 0: setup */
};

static uint64_t release(struct held *held, uint64_t *count, uint64_t address) {
    for (uint64_t i = 0; i < *count; i++)
        if (held[i].address == address) {
            const uint64_t bytes = held[i].bytes;
            held[i] = held[--*count];
            return bytes;
        }
    return 0;
}

/* Keeps what setup has allocated. Returns its bytes. */
static uint64_t forget_calls(struct held *held, uint64_t *count) {
    uint64_t kept = 0, bytes = 0;
    for (uint64_t i = 0; i < *count; i++)
        if (held[i].call == 0) {
            bytes += held[i].bytes;
            held[kept++] = held[i];
        }
    *count = kept;
    return bytes;
}

void behaviour_memory(const struct behaviour_event *events, uint64_t count,
                      struct behaviour_recorded recorded, uint64_t workspace_bytes,
                      struct finding_list *list) {
    struct held *held = need(count, sizeof *held);
    uint64_t held_count = 0, now = 0, most = 0;
    int32_t call = 0;
    bool apart = false;
    for (uint64_t i = 0; i < count; i++) {
        const struct behaviour_event *event = &events[i];
        if (event->kind != BEHAVIOUR_ALLOC || event->address == 0)
            continue;
        if (!apart && event->call > recorded.first && recorded.between > 0) {
            now = forget_calls(held, &held_count);
            apart = true;
        }
        now -= release(held, &held_count, event->address);
        if (event->bytes > 0)
            held[held_count++] = (struct held){event->address, event->bytes, event->call};
        now += event->bytes;
        if (now > most) {
            most = now;
            call = event->call + (apart ? recorded.between : 0);
        }
    }
    free(held);
    if (most > workspace_bytes)
        finding_add(list, FINDING_WORKSPACE, "%llu bytes, %s%.0d; its workspace is %llu bytes",
                    (unsigned long long)most, call ? "in call " : "in setup", call,
                    (unsigned long long)workspace_bytes);
}
