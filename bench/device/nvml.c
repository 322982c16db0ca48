#include "bench/device/nvml.h"

#include <dlfcn.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/base/error.h"
#include "bench/base/need.h"

/* NVML's ABI, from NVIDIA's NVML API reference: nvmlReturn_t is an int-sized enum with 0 for
 * success, nvmlDevice_t an opaque pointer, and every enum passed or returned below has the size of
 * unsigned. */
struct nvml {
    void *device;
    void *functions[NVML_VALUES]; /* looked up once; NULL: not in this library */
    int (*shutdown)(void);
};

enum { GRAPHICS_CLOCK = 0, SM_CLOCK = 1, MEMORY_CLOCK = 2, GPU_SENSOR = 0 };
enum { NOT_FOUND = 6, INSUFFICIENT_SIZE = 7, FUNCTION_NOT_FOUND = 13 }; /* of nvmlReturn_t */

enum form {
    PLAIN,       /* (device, unsigned *value) */
    INDEXED,     /* (device, unsigned which, unsigned *value) */
    AND_PENDING, /* (device, unsigned *current, unsigned *after_next_reset) */
    WIDE,        /* (device, unsigned long long *value) */
    COUNTED      /* (device, unsigned *room_then_entries, void *entries) */
};

static const struct query {
    enum form form;
    unsigned which;
    const char *names[3]; /* the first that the library has serves */
} queries[NVML_VALUES] = {
    [NVML_SM_MHZ] = {INDEXED, SM_CLOCK, {"nvmlDeviceGetClockInfo"}},
    [NVML_MEMORY_MHZ] = {INDEXED, MEMORY_CLOCK, {"nvmlDeviceGetClockInfo"}},
    [NVML_SM_MAX_MHZ] = {INDEXED, SM_CLOCK, {"nvmlDeviceGetMaxClockInfo"}},
    [NVML_MEMORY_MAX_MHZ] = {INDEXED, MEMORY_CLOCK, {"nvmlDeviceGetMaxClockInfo"}},
    [NVML_SM_APPLICATION_MHZ] = {INDEXED, GRAPHICS_CLOCK, {"nvmlDeviceGetApplicationsClock"}},
    [NVML_MEMORY_APPLICATION_MHZ] = {INDEXED, MEMORY_CLOCK, {"nvmlDeviceGetApplicationsClock"}},
    [NVML_POWER_MW] = {PLAIN, 0, {"nvmlDeviceGetPowerUsage"}},
    [NVML_POWER_LIMIT_MW] = {PLAIN, 0, {"nvmlDeviceGetEnforcedPowerLimit"}},
    [NVML_TEMPERATURE_C] = {INDEXED, GPU_SENSOR, {"nvmlDeviceGetTemperature"}},
    [NVML_THROTTLE] = {WIDE,
                       0,
                       {"nvmlDeviceGetCurrentClocksThrottleReasons",
                        "nvmlDeviceGetCurrentClocksEventReasons"}},
    [NVML_ECC] = {AND_PENDING, 0, {"nvmlDeviceGetEccMode"}},
    [NVML_MIG] = {AND_PENDING, 0, {"nvmlDeviceGetMigMode"}},
    [NVML_PERSISTENCE] = {PLAIN, 0, {"nvmlDeviceGetPersistenceMode"}},
    [NVML_PROCESSES] = {COUNTED,
                        0,
                        {"nvmlDeviceGetComputeRunningProcesses_v3",
                         "nvmlDeviceGetComputeRunningProcesses_v2",
                         "nvmlDeviceGetComputeRunningProcesses"}},
    [NVML_ENERGY_MJ] = {WIDE, 0, {"nvmlDeviceGetTotalEnergyConsumption"}},
};

/* Room for process entries, whose length differs by version and driver: at most 64 bytes. */
enum { ENTRIES = 64, ENTRY_BYTES = 64 };

static void *library(void) {
    static void *handle;
    if (!handle)
        handle = dlopen("libnvidia-ml.so.1", RTLD_NOW | RTLD_LOCAL);
    return handle;
}

static void find_functions(void *functions[NVML_VALUES]) {
    for (int i = 0; i < NVML_VALUES; i++)
        for (int name = 0; name < 3 && queries[i].names[name] && !functions[i]; name++)
            functions[i] = dlsym(library(), queries[i].names[name]);
}

static int find_device(struct nvml *nvml, const char *uuid, const char *pci) {
    int (*by_uuid)(const char *, void **) =
        (int (*)(const char *, void **))dlsym(library(), "nvmlDeviceGetHandleByUUID");
    int (*by_pci)(const char *, void **) =
        (int (*)(const char *, void **))dlsym(library(), "nvmlDeviceGetHandleByPciBusId_v2");
    int status = NOT_FOUND;
    if (by_uuid && *uuid)
        status = by_uuid(uuid, &nvml->device);
    if (status != 0 && by_pci && *pci)
        status = by_pci(pci, &nvml->device);
    return status;
}

struct nvml *nvml_open(const char *uuid, const char *pci) {
    if (!library())
        return NULL;
    int (*init)(void) = (int (*)(void))dlsym(library(), "nvmlInit_v2");
    int (*shutdown)(void) = (int (*)(void))dlsym(library(), "nvmlShutdown");
    if (!init || !shutdown || init() != 0)
        return NULL;
    struct nvml *nvml = need(1, sizeof *nvml);
    nvml->shutdown = shutdown;
    if (find_device(nvml, uuid, pci) == 0) {
        find_functions(nvml->functions);
        return nvml;
    }
    nvml_close(nvml);
    return NULL;
}

static int ask(const struct nvml *nvml, int field, int64_t *value) {
    const struct query *query = &queries[field];
    void *function = nvml->functions[field];
    int status;
    unsigned narrow = 0, pending = 0;
    unsigned long long wide = 0, entries[ENTRIES * ENTRY_BYTES / sizeof(unsigned long long)];
    if (!function)
        return FUNCTION_NOT_FOUND;
    switch (query->form) {
    case PLAIN:
        status = ((int (*)(void *, unsigned *))function)(nvml->device, &narrow);
        break;
    case INDEXED:
        status =
            ((int (*)(void *, unsigned, unsigned *))function)(nvml->device, query->which, &narrow);
        break;
    case AND_PENDING:
        status =
            ((int (*)(void *, unsigned *, unsigned *))function)(nvml->device, &narrow, &pending);
        break;
    case WIDE:
        status = ((int (*)(void *, unsigned long long *))function)(nvml->device, &wide);
        break;
    default:
        narrow = ENTRIES;
        status = ((int (*)(void *, unsigned *, void *))function)(nvml->device, &narrow, entries);
        if (status == INSUFFICIENT_SIZE) /* tells how many there are all the same */
            status = 0;
        break;
    }
    *value = query->form == WIDE ? (int64_t)wide : (int64_t)narrow;
    return status;
}

int64_t nvml_value(const struct nvml *nvml, enum nvml_field field) {
    int64_t value;
    return nvml && ask(nvml, (int)field, &value) == 0 ? value : -1;
}

void nvml_driver(const struct nvml *nvml, char version[80]) {
    int (*read)(char *, unsigned) =
        (int (*)(char *, unsigned))dlsym(library(), "nvmlSystemGetDriverVersion");
    if (!nvml || !read || read(version, 80) != 0)
        *version = 0;
}

void nvml_close(struct nvml *nvml) {
    if (nvml && nvml->shutdown() != 0)
        warning("NVML did not shut down cleanly");
    free(nvml);
}

const char *nvml_throttle_text(int64_t reasons, char text[NVML_THROTTLE_TEXT]) {
    static const struct {
        int64_t bit;
        const char *word;
    } words[] = {
#define X(name, bit, text) {bit, text},
        NVML_REASONS(X)
#undef X
    };
    size_t used = 0;
    snprintf(text, NVML_THROTTLE_TEXT, "%s", reasons == 0 ? "none" : "");
    for (size_t i = 0; i < sizeof words / sizeof *words && reasons > 0; i++)
        if (reasons & words[i].bit)
            used += (size_t)snprintf(text + used, NVML_THROTTLE_TEXT - used, "%s%s",
                                     used ? ", " : "", words[i].word);
    if (reasons > 0 && used == 0)
        snprintf(text, NVML_THROTTLE_TEXT, "unknown (%#llx)", (unsigned long long)reasons);
    return text;
}
