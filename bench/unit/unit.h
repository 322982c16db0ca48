/* One unit, a shape with one candidate: start runners, check every arm, time those that passed. */
#ifndef BENCH_UNIT_UNIT_H
#define BENCH_UNIT_UNIT_H

#include "bench/plan/plan.h"
#include "bench/unit/device_rotation.h"
#include "bench/unit/device_session.h"
#include "bench/unit/unit_result.h"

/* Runs the unit in runner processes of its own, on the session's device or, with a rotation
 * (session NULL), each round on another device. Whatever a kernel does is a row of the result. 0,
 * or -1 after error() for a fault of ours, a lost device or an interrupt. */
int unit_run(struct device_session *session, const struct device_rotation *rotation,
             const struct unit *unit, struct unit_result *result);

#endif
