/* One session a device of the run, as the processes that measure have them. */
#ifndef BENCH_RUN_SESSIONS_H
#define BENCH_RUN_SESSIONS_H

#include <stdbool.h>

#include "bench/context/device_session.h"
#include "bench/run/devices.h"

struct sessions {
    struct device_session list[PLAN_DEVICES]; /* a process opens those it uses */
    size_t count;                             /* of devices */
    bool moves;                               /* the rounds of a unit go from device to device */
    bool reference_on_device;                 /* see struct device_session */
};

/* None is open. Rounds move where there are several devices, and several rounds, and where a label
 * has room for all that a unit is measured on. */
void sessions_start(struct sessions *sessions, const struct plan *plan,
                    const struct devices *devices, bool reference_on_device);

/* In a worker's process: opens the session of its device for the run's folder. 0, or -1 after
 * error(). */
int sessions_open(struct sessions *sessions, size_t worker, const struct plan *plan,
                  const char *run, const struct devices *devices,
                  const struct prepared_set *candidates, const struct prepared_set *previous);

/* What locks candidates in, as a runner of any device has said; "" where none has. */
const char *sessions_sandbox(const struct sessions *sessions);

/* Ends what is open in this process. */
void sessions_end(struct sessions *sessions);

#endif
