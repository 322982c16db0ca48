/* What a GPU does while a unit is timed: clocks, power, temperature, throttle reasons and
 * processes, read through NVML by the judge, never by the runner. */
#ifndef BENCH_CONTEXT_GPU_MONITOR_H
#define BENCH_CONTEXT_GPU_MONITOR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "reports/run/rundir.h"

/* One look. NaN and -1 where NVML does not tell. */
struct gpu_monitor_reading {
    double sm_mhz, memory_mhz, power_w, temperature_c;
    int64_t throttle; /* bits of nvmlClocksEventReasons */
    int processes;    /* with a compute context on the GPU, ours included */
};

/* Opaque. Without NVML (the host device, a machine without a driver) a monitor that never tells. */
struct gpu_monitor;
struct gpu_monitor *gpu_monitor_open(const char *uuid,
                                     const char *pci); /* NULL only without memory */
void gpu_monitor_close(struct gpu_monitor *monitor);
void gpu_monitor_read(const struct gpu_monitor *monitor, struct gpu_monitor_reading *reading);

/* Whether times taken at such a moment are those of a disturbed machine: thermal or hardware
 * slowdown or power brake (not the power cap, which belongs to the card), or more processes on the
 * GPU than the `own` ones. Unknown is not disturbed. */
bool gpu_monitor_disturbed(const struct gpu_monitor_reading *reading, int own);

/* Readings taken together. Zero-initialised by the caller. */
struct gpu_monitor_summary {
    size_t readings, disturbed;
    double sm_mhz_min, sm_mhz_max, sm_mhz_sum, memory_mhz_sum, power_w_sum, power_w_max;
    double temperature_c_max;
    size_t sm_mhz_count, memory_mhz_count, power_w_count, temperature_count;
    int64_t throttle; /* union */
    int processes;    /* most */
    bool throttle_known, processes_known;
};
void gpu_monitor_add(struct gpu_monitor_summary *summary, const struct gpu_monitor_reading *reading,
                     int own);

/* Fills the row's columns from sm_mhz_min to processes (throttle in nvml_throttle_text's words,
 * "" where unknown). */
void gpu_monitor_fill(const struct gpu_monitor_summary *summary, struct condition_row *row);

#endif
