#include "bench/context/gpu_monitor.h"

#include <math.h>
#include <stdlib.h>

#include "bench/device/nvml.h"

struct gpu_monitor {
    struct nvml *nvml; /* NULL: never tells */
};

struct gpu_monitor *gpu_monitor_open(const char *uuid, const char *pci) {
    struct gpu_monitor *monitor = malloc(sizeof *monitor);
    if (monitor)
        monitor->nvml = nvml_open(uuid, pci);
    return monitor;
}

void gpu_monitor_close(struct gpu_monitor *monitor) {
    if (monitor)
        nvml_close(monitor->nvml);
    free(monitor);
}

static int64_t ask_nvml(const struct gpu_monitor *monitor, enum nvml_field field) {
    return nvml_value(monitor->nvml, field);
}

static double number(int64_t value) {
    return value >= 0 ? (double)value : NAN;
}

void gpu_monitor_read(const struct gpu_monitor *monitor, struct gpu_monitor_reading *reading) {
    *reading = (struct gpu_monitor_reading){
        .sm_mhz = number(ask_nvml(monitor, NVML_SM_MHZ)),
        .memory_mhz = number(ask_nvml(monitor, NVML_MEMORY_MHZ)),
        .power_w = number(ask_nvml(monitor, NVML_POWER_MW)) / 1000,
        .temperature_c = number(ask_nvml(monitor, NVML_TEMPERATURE_C)),
        .throttle = ask_nvml(monitor, NVML_THROTTLE),
        .processes = (int)ask_nvml(monitor, NVML_PROCESSES),
    };
}

bool gpu_monitor_disturbed(const struct gpu_monitor_reading *reading, int own) {
    const int64_t disturbing =
        NVML_HARDWARE_SLOWDOWN | NVML_SOFTWARE_THERMAL | NVML_HARDWARE_THERMAL | NVML_POWER_BRAKE;
    return (reading->throttle >= 0 && (reading->throttle & disturbing)) || reading->processes > own;
}

void gpu_monitor_add(struct gpu_monitor_summary *summary, const struct gpu_monitor_reading *reading,
                     int own) {
    summary->readings++;
    summary->disturbed += gpu_monitor_disturbed(reading, own);
    if (!isnan(reading->sm_mhz)) {
        bool first = summary->sm_mhz_count++ == 0;
        summary->sm_mhz_sum += reading->sm_mhz;
        summary->sm_mhz_min = first ? reading->sm_mhz : fmin(summary->sm_mhz_min, reading->sm_mhz);
        summary->sm_mhz_max = fmax(summary->sm_mhz_max, reading->sm_mhz);
    }
    if (!isnan(reading->memory_mhz)) {
        summary->memory_mhz_count++;
        summary->memory_mhz_sum += reading->memory_mhz;
    }
    if (!isnan(reading->power_w)) {
        summary->power_w_count++;
        summary->power_w_sum += reading->power_w;
        summary->power_w_max = fmax(summary->power_w_max, reading->power_w);
    }
    if (!isnan(reading->temperature_c)) {
        summary->temperature_count++;
        summary->temperature_c_max = fmax(summary->temperature_c_max, reading->temperature_c);
    }
    if (reading->throttle >= 0) {
        summary->throttle_known = true;
        summary->throttle |= reading->throttle;
    }
    if (reading->processes >= 0) {
        summary->processes_known = true;
        if (reading->processes > summary->processes)
            summary->processes = reading->processes;
    }
}

static double if_any(size_t count, double value) {
    return count > 0 ? value : NAN;
}

static double mean(double sum, size_t count) {
    return count > 0 ? sum / (double)count : NAN;
}

void gpu_monitor_fill(const struct gpu_monitor_summary *summary, struct condition_row *row) {
    _Static_assert(sizeof row->throttle >= NVML_THROTTLE_TEXT, "the words fit");
    row->sm_mhz_min = if_any(summary->sm_mhz_count, summary->sm_mhz_min);
    row->sm_mhz_mean = mean(summary->sm_mhz_sum, summary->sm_mhz_count);
    row->sm_mhz_max = if_any(summary->sm_mhz_count, summary->sm_mhz_max);
    row->memory_mhz_mean = mean(summary->memory_mhz_sum, summary->memory_mhz_count);
    row->power_w_mean = mean(summary->power_w_sum, summary->power_w_count);
    row->power_w_max = if_any(summary->power_w_count, summary->power_w_max);
    row->temperature_c_max = if_any(summary->temperature_count, summary->temperature_c_max);
    nvml_throttle_text(summary->throttle_known ? summary->throttle : -1, row->throttle);
    row->processes = summary->processes_known ? summary->processes : NAN;
}
