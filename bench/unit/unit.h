/* The judge's work on one unit: start runners, check every arm, time those that passed. */
#ifndef BENCH_UNIT_UNIT_H
#define BENCH_UNIT_UNIT_H

#include <stddef.h>

#include "bench/plan/plan.h"
#include "bench/unit/device_session.h"
#include "bench/unit/sample_buffer.h"
#include "reports/run/rundir.h"

struct unit_result {
    struct rows rows;
    struct sample_buffer series[MODE_COUNT * LENS_COUNT];
    int series_count;
};

struct device_rotation;

/* Runs the unit in runner processes of its own, on the session's device or, where turns are given,
 * every round on the device whose turn it is (session NULL). Whatever a kernel does is a row of the
 * result. 0, or -1 after error() for a fault of ours, a lost device or an interrupt. */
int unit_run(struct device_session *session, const struct device_rotation *turns,
             const struct unit *unit, struct unit_result *result);
void unit_result_free(struct unit_result *result);

#endif
