/* One unit, a shape with one candidate: start runners, check every arm, time those that passed. */
#ifndef BENCH_UNIT_UNIT_H
#define BENCH_UNIT_UNIT_H

#include <stdbool.h>

#include "bench/context/device_session.h"
#include "bench/context/unit_result.h"
#include "bench/plan/plan.h"

/* Goes on with a unit on the session's device, in runner processes of its own, until `visits` of
 * its visits are timed or it has *ended. What was found of it before, by whatever process and on
 * whatever device, is read from the run's folder, and what is found by then is stored there. A
 * unit that cannot go on on this device begins again. The result, which the caller has emptied and frees, is whole where the
 * unit has ended: whatever a kernel has done is a row of it. 0, or -1 after error() for a fault of ours, a lost
 * device or an interrupt. */
int unit_run(struct device_session *session, const struct unit *unit, int visits,
             struct unit_result *result, bool *ended);

#endif
