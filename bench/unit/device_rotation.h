/* Several devices in rotation: a round of a unit is measured on another one than the round before,
 * so that what differs between devices is part of what differs between rounds. */
#ifndef BENCH_UNIT_DEVICE_ROTATION_H
#define BENCH_UNIT_DEVICE_ROTATION_H

#include "bench/unit/device_session.h"

struct device_rotation {
    struct device_session *sessions; /* one a device, not owned */
    size_t count;
    int locks; /* a file: byte i is locked by the process that has device i, if it lives */
};

/* All are free. 0, or -1 after error(). Every process that is forked then may take and give; what a
 * process has when it ends is free again. */
int device_rotation_open(struct device_rotation *rotation, struct device_session *sessions,
                         size_t count);

/* Waits for a free one. That is the last one again (NULL: there is none) only where no other has
 * become free for ten seconds. NULL after error(), also where interrupted. */
struct device_session *device_rotation_take(const struct device_rotation *rotation,
                                            const struct device_session *last);

/* Nothing of ours may run there any more. */
void device_rotation_give(const struct device_rotation *rotation,
                          const struct device_session *session);
void device_rotation_close(struct device_rotation *rotation);

#endif
