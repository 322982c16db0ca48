/* Facts of a GPU that NVIDIA's management library tells while others use the GPU. The library is
 * looked for when asked, never linked, and no context is made on the GPU: the judge may call
 * this. */
#ifndef BENCH_DEVICE_NVML_H
#define BENCH_DEVICE_NVML_H

#include <stdint.h>

enum nvml_field {
    NVML_SM_MHZ, /* now */
    NVML_MEMORY_MHZ,
    NVML_SM_MAX_MHZ, /* the highest the board goes */
    NVML_MEMORY_MAX_MHZ,
    NVML_SM_APPLICATION_MHZ, /* asked for by nvidia-smi -ac; clocks locked by -lgc cannot be read */
    NVML_MEMORY_APPLICATION_MHZ,
    NVML_POWER_MW,       /* drawn now */
    NVML_POWER_LIMIT_MW, /* enforced */
    NVML_TEMPERATURE_C,
    NVML_THROTTLE, /* bits of nvml_reason */
    NVML_ECC,      /* 0 or 1, as are the next two */
    NVML_MIG,
    NVML_PERSISTENCE,
    NVML_FIELDS,
    NVML_PROCESSES = NVML_FIELDS, /* with a compute context */
    NVML_ENERGY_MJ, /* drawn since the driver was loaded; it steps every 20 to 100 ms */
    NVML_VALUES
};

struct nvml;

/* The GPU of this UUID ("GPU-..." or "MIG-..."), or else at this PCI address; either may be "".
 * NULL where there is no library or no such GPU. */
struct nvml *nvml_open(const char *uuid, const char *pci);

/* A field, cheap enough to ask between timings; -1: unknown, as all are without a GPU (NULL). */
int64_t nvml_value(const struct nvml *nvml, enum nvml_field field);

/* The driver's version, such as "580.65.06", or "". */
void nvml_driver(const struct nvml *nvml, char version[80]);

void nvml_close(struct nvml *nvml); /* NULL is fine */

/* X(name, bit, words): bits of NVML_THROTTLE, NVML's nvmlClocksEventReasons. */
#define NVML_REASONS(X)                                                                            \
    X(IDLE, 0x1, "idle")                                                                           \
    X(APPLICATION_CLOCKS, 0x2, "application clocks")                                               \
    X(POWER_CAP, 0x4, "power cap")                                                                 \
    X(HARDWARE_SLOWDOWN, 0x8, "hardware slowdown")                                                 \
    X(SYNC_BOOST, 0x10, "sync boost")                                                              \
    X(SOFTWARE_THERMAL, 0x20, "software thermal")                                                  \
    X(HARDWARE_THERMAL, 0x40, "hardware thermal")                                                  \
    X(POWER_BRAKE, 0x80, "power brake")                                                            \
    X(DISPLAY_CLOCKS, 0x100, "display clocks")
enum nvml_reason {
#define X(name, bit, words) NVML_##name = bit,
    NVML_REASONS(X)
#undef X
};

/* Why clocks are lower than they could be, "power cap, hardware slowdown", "none", or "" for -1. */
#define NVML_THROTTLE_TEXT 160
const char *nvml_throttle_text(int64_t reasons, char text[NVML_THROTTLE_TEXT]);

#endif
