/* The judge's work on one unit: start runners, check every arm, time those that passed. */
#ifndef BENCH_UNIT_UNIT_H
#define BENCH_UNIT_UNIT_H

#include <stddef.h>

#include "bench/plan/plan.h"
#include "bench/process/runner_process.h"
#include "bench/process/warm_runners.h"
#include "bench/run/prepared_set.h"
#include "bench/unit/gpu_monitor.h"
#include "bench/unit/sample_buffer.h"
#include "reports/run/rundir.h"
#include "timing/light.h"

/* What the units of a run that one device measures share. */
struct session {
    const struct plan *plan;
    int ordinal;             /* of the device ... */
    struct gpu_alone alone;  /* ... for a process that sees this one alone, if any */
    char label[RUNDIR_NAME]; /* what rows call it */
    const struct prepared_set *candidates, *previous; /* the plan's two sets */
    struct gpu_monitor *watch;
    struct warm_runners spares;
    struct runner_process leaving; /* a runner that has been killed and may not be gone yet */
    struct light_rates rates;      /* of the device; 0 where not known */

    /* Seconds that units before have left over of their share: those that need longer draw on it.
     */
    double saved_seconds;

    char sandbox[WIRE_TEXT]; /* what locks candidates in, as the first one's runner said */
};

struct unit_result {
    struct rows rows;
    struct sample_buffer series[MODE_COUNT * LENS_COUNT];
    int series_count;
};

struct device_rotation;

/* Runs the unit in runner processes of its own, on the session's device or, where turns are given,
 * every round on the device whose turn it is (session NULL). Whatever a kernel does is a row of the
 * result. 0, or -1 after error() for a fault of ours, a lost device or an interrupt. */
int unit_run(struct session *session, const struct device_rotation *turns, const struct unit *unit,
             struct unit_result *result);
void unit_result_free(struct unit_result *result);

/* Set by the judge's signal handler; work stops at the next chance. */
extern volatile int unit_interrupted;

#endif
