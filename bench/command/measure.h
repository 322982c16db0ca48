/* One run, measured as the settings ask for. */
#ifndef BENCH_COMMAND_MEASURE_H
#define BENCH_COMMAND_MEASURE_H

#include "bench/command/options/settings.h"
#include "reports/gate/gate_policy.h"

/* Makes a plan of the settings and carries it out. judged: as in settings_plan. Returns an exit
 * status. */
int measure_run(const struct settings *settings, const struct gate_policy *judged);

#endif
