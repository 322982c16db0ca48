#include "bench/spares.h"

#include <string.h>

#include "correctness/cores.h"

#define OPEN_SECONDS 300

int spares_fill(struct spares *spares, const struct wire_request *open, size_t wanted,
                size_t shared_bytes) {
    const bool traced = open->trace != 0;
    const size_t cores = (size_t)cores_allowed();
    const size_t most = cores < spares->most ? cores : spares->most;
    for (size_t i = 0; i < spares->count && wanted > 0; i++)
        wanted -= spares->list[i].traced == traced;
    for (; wanted > 0 && spares->count < most; wanted--) {
        struct spare *spare = &spares->list[spares->count];
        *spare = (struct spare){.traced = traced};
        if (leash_start(&spare->leash, shared_bytes) < 0)
            return -1;
        spares->count++;
        if (leash_send(&spare->leash, open) < 0)
            return -1;
    }
    return 0;
}

/* One that cannot open the device is no spare: who needs one starts it and is told why. */
static bool is_open(struct spare *spare) {
    static struct wire_reply reply;
    int code;
    if (!spare->open)
        spare->open = leash_await(&spare->leash, OPEN_SECONDS, &reply, &code) == LEASH_ANSWERED &&
                      reply.status == 0;
    return spare->open;
}

static void take_out(struct spares *spares, size_t at) {
    struct spare *spare = &spares->list[at];
    memmove(spare, spare + 1, (--spares->count - at) * sizeof *spare);
}

bool spares_take(struct spares *spares, bool traced, size_t shared_bytes, struct leash *leash) {
    for (size_t i = 0; i < spares->count;) {
        struct spare *spare = &spares->list[i];
        if (spare->traced != traced || spare->leash.shared_bytes < shared_bytes) {
            i++;
            continue;
        }
        const bool ready = is_open(spare);
        *leash = spare->leash;
        take_out(spares, i);
        if (ready)
            return true;
        leash_end(leash);
    }
    return false;
}

void spares_settle(struct spares *spares) {
    for (size_t i = 0; i < spares->count;) {
        struct spare *spare = &spares->list[i];
        if (is_open(spare)) {
            i++;
            continue;
        }
        leash_end(&spare->leash);
        take_out(spares, i);
    }
}

void spares_end(struct spares *spares) {
    while (spares->count)
        leash_end(&spares->list[--spares->count].leash);
}
