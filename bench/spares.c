#include "bench/spares.h"

#include <string.h>

#include "correctness/cores.h"

#define START_SECONDS 60

int spares_fill(struct spares *spares, size_t wanted, size_t shared_bytes) {
    const size_t cores = (size_t)cores_allowed();
    wanted = wanted < cores ? wanted : cores;
    wanted = wanted < SPARES_MOST ? wanted : SPARES_MOST;
    for (; spares->count < wanted; spares->count++)
        if (leash_start(&spares->list[spares->count], shared_bytes) < 0)
            return -1;
    return 0;
}

bool spares_take(struct spares *spares, size_t shared_bytes, struct leash *leash) {
    if (!spares->count || spares->list[0].shared_bytes < shared_bytes)
        return false;
    *leash = spares->list[0];
    memmove(spares->list, spares->list + 1, --spares->count * sizeof *leash);
    return true;
}

void spares_settle(struct spares *spares) {
    static struct wire_reply reply;
    const struct wire_request request = {.verb = WIRE_BASELINE};
    size_t kept = 0;
    int code;
    for (size_t i = 0; i < spares->count; i++) {
        struct leash *leash = &spares->list[i];
        if (leash->answered ||
            leash_ask(leash, &request, START_SECONDS, &reply, &code) == LEASH_ANSWERED)
            spares->list[kept++] = *leash;
        else
            leash_end(leash);
    }
    spares->count = kept;
}

void spares_end(struct spares *spares) {
    while (spares->count)
        leash_end(&spares->list[--spares->count]);
}
