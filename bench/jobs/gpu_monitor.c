#include "bench/jobs/gpu_monitor.h"

#include <math.h>
#include <unistd.h>

static double number(int64_t value) {
    return value >= 0 ? (double)value : NAN;
}

void gpu_monitor_read(const struct nvml *nvml, struct gpu_monitor_reading *reading) {
    *reading = (struct gpu_monitor_reading){
        .sm_mhz = number(nvml_value(nvml, NVML_SM_MHZ)),
        .memory_mhz = number(nvml_value(nvml, NVML_MEMORY_MHZ)),
        .power_w = number(nvml_value(nvml, NVML_POWER_MW)) / 1000,
        .temperature_c = number(nvml_value(nvml, NVML_TEMPERATURE_C)),
        .throttle = nvml_value(nvml, NVML_THROTTLE),
        .processes = (int)nvml_value(nvml, NVML_PROCESSES),
    };
}

/* The counter is asked so often, for 0.3 s. */
enum { ASKED = 600, APART_US = 500 };

double gpu_monitor_joules(const struct nvml *nvml) {
    const int64_t before = nvml_value(nvml, NVML_ENERGY_MJ);
    int64_t now = before;
    for (int i = 0; i < ASKED && before >= 0 && now == before; i++) {
        usleep(APART_US);
        now = nvml_value(nvml, NVML_ENERGY_MJ);
    }
    return now != before ? number(now) / 1000 : NAN;
}

bool gpu_monitor_disturbed(const struct gpu_monitor_reading *reading, int own) {
    const int64_t disturbing =
        NVML_HARDWARE_SLOWDOWN | NVML_SOFTWARE_THERMAL | NVML_HARDWARE_THERMAL | NVML_POWER_BRAKE;
    return (reading->throttle >= 0 && (reading->throttle & disturbing)) || reading->processes > own;
}

static void add(struct gpu_monitor_range *range, double value) {
    if (isnan(value))
        return;
    range->least = range->count > 0 ? fmin(range->least, value) : value;
    range->most = range->count > 0 ? fmax(range->most, value) : value;
    range->sum += value;
    range->count++;
}

void gpu_monitor_add(struct gpu_monitor_summary *summary,
                     const struct gpu_monitor_reading *reading) {
    add(&summary->sm_mhz, reading->sm_mhz);
    add(&summary->memory_mhz, reading->memory_mhz);
    add(&summary->power_w, reading->power_w);
    add(&summary->temperature_c, reading->temperature_c);
    add(&summary->processes, number(reading->processes));
    if (reading->throttle >= 0)
        summary->throttle |= reading->throttle;
    summary->throttle_known |= reading->throttle >= 0;
}

static double mean(const struct gpu_monitor_range *range) {
    return range->count > 0 ? range->sum / (double)range->count : NAN;
}

static double most(const struct gpu_monitor_range *range) {
    return range->count > 0 ? range->most : NAN;
}

void gpu_monitor_fill(const struct gpu_monitor_summary *summary, struct condition_row *row) {
    _Static_assert(sizeof row->throttle >= NVML_THROTTLE_TEXT, "the words fit");
    row->sm_mhz_min = summary->sm_mhz.count > 0 ? summary->sm_mhz.least : NAN;
    row->sm_mhz_mean = mean(&summary->sm_mhz);
    row->sm_mhz_max = most(&summary->sm_mhz);
    row->memory_mhz_mean = mean(&summary->memory_mhz);
    row->power_w_mean = mean(&summary->power_w);
    row->power_w_max = most(&summary->power_w);
    row->temperature_c_max = most(&summary->temperature_c);
    nvml_throttle_text(summary->throttle_known ? summary->throttle : -1, row->throttle);
    row->processes = most(&summary->processes);
}
