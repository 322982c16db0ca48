/* One unit, a shape with one candidate, and its three jobs: the checks, which are made once
 * (unit.c), an own visit, in a process that has loaded a kernel, and a visit of the stage
 * (visit.c). Between them a unit is what lies in the run's folder (unit_file.c). */
#ifndef BENCH_JOBS_UNIT_H
#define BENCH_JOBS_UNIT_H

#include <stdbool.h>

#include "bench/jobs/device_session.h"
#include "bench/jobs/unit_result.h"
#include "bench/plan/plan.h"

/* Goes on with a unit on the session's device, in runner processes of its own, until `visits` of
 * its visits are timed or it has *ended. What was found of it before, by whatever process and on
 * whatever device, is read from the run's folder, and what is found by then is stored there. A unit
 * that cannot go on on this device begins again. The result, which the caller has emptied and
 * frees, is whole where the unit has ended: whatever a kernel has done is a row of it. 0, or -1
 * after error() for a fault of ours, a lost device or an interrupt. */
int unit_run(struct device_session *session, const struct unit *unit, int visits,
             struct unit_result *result, bool *ended);

#endif
