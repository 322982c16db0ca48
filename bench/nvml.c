#include "bench/nvml.h"

#include <dlfcn.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/error.h"

/* NVML's ABI, from NVIDIA's NVML API reference: nvmlReturn_t is an int-sized enum with 0 for
 * success, nvmlDevice_t an opaque pointer, and every enum passed or returned below has the size of
 * unsigned. */
struct nvml {
    void *device;
    int (*shutdown)(void);
    const char *(*explain)(int status);
};

enum { GRAPHICS_CLOCK = 0, SM_CLOCK = 1, MEMORY_CLOCK = 2, GPU_SENSOR = 0 };
enum { NOT_FOUND = 6, FUNCTION_NOT_FOUND = 13 }; /* of nvmlReturn_t */

enum form {
    PLAIN,       /* (device, unsigned *value) */
    INDEXED,     /* (device, unsigned which, unsigned *value) */
    AND_PENDING, /* (device, unsigned *current, unsigned *after_next_reset) */
    WIDE         /* (device, unsigned long long *value) */
};

static const struct query {
    const char *function;
    const char *other; /* the name that drivers after 535 know it by as well, or NULL */
    enum form form;
    unsigned which;
} queries[NVML_FIELDS] = {
    [NVML_SM_MHZ] = {"nvmlDeviceGetClockInfo", NULL, INDEXED, SM_CLOCK},
    [NVML_MEMORY_MHZ] = {"nvmlDeviceGetClockInfo", NULL, INDEXED, MEMORY_CLOCK},
    [NVML_SM_MAX_MHZ] = {"nvmlDeviceGetMaxClockInfo", NULL, INDEXED, SM_CLOCK},
    [NVML_MEMORY_MAX_MHZ] = {"nvmlDeviceGetMaxClockInfo", NULL, INDEXED, MEMORY_CLOCK},
    [NVML_SM_APPLICATION_MHZ] = {"nvmlDeviceGetApplicationsClock", NULL, INDEXED, GRAPHICS_CLOCK},
    [NVML_MEMORY_APPLICATION_MHZ] = {"nvmlDeviceGetApplicationsClock", NULL, INDEXED, MEMORY_CLOCK},
    [NVML_POWER_MW] = {"nvmlDeviceGetPowerUsage", NULL, PLAIN, 0},
    [NVML_POWER_LIMIT_MW] = {"nvmlDeviceGetEnforcedPowerLimit", NULL, PLAIN, 0},
    [NVML_TEMPERATURE_C] = {"nvmlDeviceGetTemperature", NULL, INDEXED, GPU_SENSOR},
    [NVML_THROTTLE] = {"nvmlDeviceGetCurrentClocksThrottleReasons",
                       "nvmlDeviceGetCurrentClocksEventReasons", WIDE, 0},
    [NVML_ECC] = {"nvmlDeviceGetEccMode", NULL, AND_PENDING, 0},
    [NVML_MIG] = {"nvmlDeviceGetMigMode", NULL, AND_PENDING, 0},
    [NVML_PERSISTENCE] = {"nvmlDeviceGetPersistenceMode", NULL, PLAIN, 0},
};

/* Once loaded it stays: the reasons handed out are the library's own strings. */
static void *library(void) {
    static void *handle;
    if (!handle)
        handle = dlopen("libnvidia-ml.so.1", RTLD_NOW | RTLD_LOCAL);
    return handle;
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

struct nvml *nvml_open(const char *uuid, const char *pci, const char **why) {
    if (!library()) {
        *why = "libnvidia-ml.so.1 cannot be loaded: no NVIDIA driver, or a container without it";
        return NULL;
    }
    int (*init)(void) = (int (*)(void))dlsym(library(), "nvmlInit_v2");
    struct nvml *nvml = calloc(1, sizeof *nvml);
    if (!nvml) {
        *why = "no memory";
        return NULL;
    }
    nvml->shutdown = (int (*)(void))dlsym(library(), "nvmlShutdown");
    nvml->explain = (const char *(*)(int))dlsym(library(), "nvmlErrorString");
    if (!init || !nvml->shutdown || !nvml->explain) {
        *why = "libnvidia-ml.so.1 lacks nvmlInit_v2, nvmlShutdown or nvmlErrorString";
        free(nvml);
        return NULL;
    }
    int status = init();
    if (status == 0) {
        status = find_device(nvml, uuid, pci);
        if (status == 0)
            return nvml;
        nvml->shutdown();
    }
    *why = nvml->explain(status);
    free(nvml);
    return NULL;
}

static int ask(const struct nvml *nvml, const struct query *query, int64_t *value) {
    void *function = dlsym(library(), query->function);
    if (!function && query->other)
        function = dlsym(library(), query->other);
    int status;
    unsigned narrow = 0, pending = 0;
    unsigned long long wide = 0;
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
    default:
        status = ((int (*)(void *, unsigned long long *))function)(nvml->device, &wide);
        break;
    }
    *value = query->form == WIDE ? (int64_t)wide : (int64_t)narrow;
    return status;
}

void nvml_read(const struct nvml *nvml, struct nvml_state *state) {
    for (int i = 0; i < NVML_FIELDS; i++) {
        int status = ask(nvml, &queries[i], &state->value[i]);
        state->why[i] = status == 0 ? NULL : nvml->explain(status);
        if (status != 0)
            state->value[i] = -1;
    }
}

void nvml_driver(const struct nvml *nvml, char version[80], const char **why) {
    int (*read)(char *, unsigned) =
        (int (*)(char *, unsigned))dlsym(library(), "nvmlSystemGetDriverVersion");
    int status = read ? read(version, 80) : FUNCTION_NOT_FOUND;
    *why = status == 0 ? NULL : nvml->explain(status);
    if (status != 0)
        *version = 0;
}

void nvml_close(struct nvml *nvml) {
    if (nvml && nvml->shutdown() != 0)
        warning("NVML did not shut down cleanly");
    free(nvml);
}

/* nvmlClocksEventReasons in the API reference. */
const char *nvml_throttle_text(int64_t reasons, char text[NVML_THROTTLE_TEXT]) {
    static const struct {
        int64_t bit;
        const char *word;
    } words[] = {
        {0x1, "idle"},
        {0x2, "application clocks"},
        {0x4, "power cap"},
        {0x8, "hardware slowdown"},
        {0x10, "sync boost"},
        {0x20, "software thermal"},
        {0x40, "hardware thermal"},
        {0x80, "power brake"},
        {0x100, "display clocks"},
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
