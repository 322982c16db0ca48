/* Devices that take turns: a round of a unit is measured on another one than the last, so that what
 * differs between devices is part of what differs between rounds. */
#ifndef BENCH_TURNS_H
#define BENCH_TURNS_H

#include "bench/unit.h"

struct turns {
    struct session *sessions; /* one a device, not owned */
    size_t count;
    int locks; /* a file: byte i is locked by the process that has device i, if it lives */
};

/* All are free. 0, or -1 after error(). Every process that is forked then may take and give; what a
 * process has when it ends is free again. */
int turns_open(struct turns *turns, struct session *sessions, size_t count);

/* Waits for a free one, which is the last one again (NULL: there is none) only where no other has
 * become free for ten seconds. NULL after error(), also where interrupted. */
struct session *turns_take(const struct turns *turns, const struct session *last);

/* Nothing of ours may run there any more. */
void turns_give(const struct turns *turns, const struct session *session);
void turns_close(struct turns *turns);

#endif
