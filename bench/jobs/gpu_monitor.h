/* What a GPU does while a unit is timed: clocks, power, temperature, throttle reasons and
 * processes, read through NVML by the judge, never by the runner. */
#ifndef BENCH_JOBS_GPU_MONITOR_H
#define BENCH_JOBS_GPU_MONITOR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "bench/device/nvml.h"
#include "reports/run/rundir.h"

/* One look. NaN and -1 where NVML does not tell. */
struct gpu_monitor_reading {
    double sm_mhz, memory_mhz, power_w, temperature_c;
    int64_t throttle; /* bits of nvmlClocksEventReasons */
    int processes;    /* with a compute context on the GPU, ours included */
};

/* nvml: NULL (the host device, a machine without a driver) never tells. */
void gpu_monitor_read(const struct nvml *nvml, struct gpu_monitor_reading *reading);

/* What the card has drawn, in joules, as the counter has just stepped. NaN where NVML does not tell, or
 * the counter does not step. */
double gpu_monitor_joules(const struct nvml *nvml);

/* Whether times taken at such a moment are those of a disturbed machine: thermal or hardware
 * slowdown or power brake (not the power cap, which belongs to the card), or more processes on the
 * GPU than the `own` ones. Unknown is not disturbed. */
bool gpu_monitor_disturbed(const struct gpu_monitor_reading *reading, int own);

/* What was told of one quantity. */
struct gpu_monitor_range {
    size_t count;
    double sum, least, most;
};

/* Readings taken together. Zero-initialised by the caller. */
struct gpu_monitor_summary {
    struct gpu_monitor_range sm_mhz, memory_mhz, power_w, temperature_c, processes;
    int64_t throttle; /* union */
    bool throttle_known;
};
void gpu_monitor_add(struct gpu_monitor_summary *summary,
                     const struct gpu_monitor_reading *reading);

/* Fills the row's columns from sm_mhz_min to processes (throttle in nvml_throttle_text's words,
 * "" where unknown). */
void gpu_monitor_fill(const struct gpu_monitor_summary *summary, struct condition_row *row);

#endif
