/* One unit, a shape with one candidate: start runners, check every arm, time those that passed. */
#ifndef BENCH_UNIT_UNIT_H
#define BENCH_UNIT_UNIT_H

#include <jansson.h>

#include "bench/context/device_session.h"
#include "bench/context/unit_result.h"
#include "bench/plan/plan.h"

/* Goes on with a unit on the session's device, in runner processes of its own, until `visits` of
 * its visits are timed or it has ended. *kept is NULL for a unit that has not begun; else it and
 * the result are what an earlier call left, whatever process made that and on whatever device. A
 * unit that cannot go on on this device begins again. Where the unit has ended *kept is NULL and
 * the result is whole: whatever a kernel has done is a row of it. Else both are to be handed to the
 * next call. *kept is the caller's to decref. 0, or -1 after error() for a fault of ours, a lost
 * device or an interrupt. */
int unit_run(struct device_session *session, const struct unit *unit, int visits,
             struct unit_result *result, json_t **kept);

#endif
