#include "bench/spares.h"

#include <string.h>

#include "correctness/cores.h"

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

static void take_out(struct spares *spares, size_t at) {
    struct spare *spare = &spares->list[at];
    memmove(spare, spare + 1, (--spares->count - at) * sizeof *spare);
}

/* Waits until it has opened the device. One that cannot is no spare and goes: who needs one starts
 * it and is told why. */
static bool is_open(struct spares *spares, size_t at) {
    static struct wire_reply reply;
    struct spare *spare = &spares->list[at];
    int code;
    if (!spare->open)
        spare->open =
            leash_await(&spare->leash, SPARES_OPEN_SECONDS, &reply, &code) == LEASH_ANSWERED &&
            reply.status == 0;
    if (spare->open)
        return true;
    leash_end(&spare->leash);
    take_out(spares, at);
    return false;
}

bool spares_take(struct spares *spares, bool traced, size_t shared_bytes, struct leash *leash) {
    for (size_t i = 0; i < spares->count;) {
        const struct spare *spare = &spares->list[i];
        if (spare->traced != traced || spare->leash.shared_bytes < shared_bytes) {
            i++;
        } else if (is_open(spares, i)) {
            *leash = spare->leash;
            take_out(spares, i);
            return true;
        }
    }
    return false;
}

void spares_settle(struct spares *spares) {
    for (size_t i = 0; i < spares->count;)
        i += is_open(spares, i);
}

void spares_end(struct spares *spares) {
    while (spares->count)
        leash_end(&spares->list[--spares->count].leash);
}
