/* The checks of units, before any of them is timed. They are made in several processes side by
 * side, each a judge like this one, which leaves its units in the run's folder. */
#ifndef BENCH_RUN_EXAMINE_H
#define BENCH_RUN_EXAMINE_H

#include "bench/jobs/device_session.h"
#include "bench/run/progress.h"
#include "bench/run/work_list.h"

/* Checks the units of the list's first items, which ask for it. Sets ended[unit] where a unit is to
 * have no visits. 0, or -1 after error(): what is checked is kept. */
int examine(struct device_session *session, const struct work_list *list, struct progress *progress,
            bool *ended);

#endif
