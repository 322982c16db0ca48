/* Stands in for libnvidia-ml.so.1: one GPU that answers some questions, refuses others, and lacks
 * some functions. PROCESSES is the name by which it lists them. */
#include "tests/support/fake_nvml.h"

#include <stdlib.h>
#include <string.h>

enum { SUCCESS = 0, NOT_SUPPORTED = 3, NOT_FOUND = 6, INSUFFICIENT_SIZE = 7 };

static int opened, gpu;

struct fake_gpu fake_gpu = {.sm_mhz = 1001,
                            .memory_mhz = 1002,
                            .milliwatts = 98765,
                            .celsius = 41,
                            .reasons = 0x44,
                            .processes = 1};

int nvmlInit_v2(void);
int nvmlShutdown(void);
int nvmlDeviceGetHandleByUUID(const char *uuid, void **device);
int nvmlDeviceGetHandleByPciBusId_v2(const char *pci, void **device);
int nvmlDeviceGetClockInfo(void *device, unsigned type, unsigned *mhz);
int nvmlDeviceGetMaxClockInfo(void *device, unsigned type, unsigned *mhz);
int nvmlDeviceGetApplicationsClock(void *device, unsigned type, unsigned *mhz);
int nvmlDeviceGetPowerUsage(void *device, unsigned *milliwatts);
int nvmlDeviceGetEnforcedPowerLimit(void *device, unsigned *milliwatts);
int nvmlDeviceGetTemperature(void *device, unsigned sensor, unsigned *celsius);
int nvmlDeviceGetCurrentClocksEventReasons(void *device, unsigned long long *reasons);
int nvmlDeviceGetTotalEnergyConsumption(void *device, unsigned long long *millijoules);
int nvmlDeviceGetEccMode(void *device, unsigned *current, unsigned *pending);
int nvmlDeviceGetMigMode(void *device, unsigned *current, unsigned *pending);
int nvmlSystemGetDriverVersion(char *version, unsigned length);
int PROCESSES(void *device, unsigned *count, void *entries);
int fake_nvml_opened(void);

static int tell(const void *device, unsigned scripted, unsigned *value) {
    *value = scripted;
    if (device != &gpu)
        return NOT_FOUND;
    return scripted == FAKE_REFUSED ? NOT_SUPPORTED : SUCCESS;
}

int fake_nvml_opened(void) {
    return opened;
}

int nvmlInit_v2(void) {
    opened++;
    return SUCCESS;
}

int nvmlShutdown(void) {
    opened--;
    return SUCCESS;
}

int nvmlDeviceGetHandleByUUID(const char *uuid, void **device) {
    *device = &gpu;
    return strncmp(uuid, "GPU-fake", strlen("GPU-fake")) == 0 ? SUCCESS : NOT_FOUND;
}

int nvmlDeviceGetHandleByPciBusId_v2(const char *pci, void **device) {
    *device = &gpu;
    return strcmp(pci, "00000000:01:00.0") == 0 ? SUCCESS : NOT_FOUND;
}

int nvmlDeviceGetClockInfo(void *device, unsigned type, unsigned *mhz) {
    return tell(device, type == 1 ? fake_gpu.sm_mhz : fake_gpu.memory_mhz, mhz);
}

int nvmlDeviceGetMaxClockInfo(void *device, unsigned type, unsigned *mhz) {
    *mhz = 2000 + type;
    return device == &gpu ? SUCCESS : NOT_FOUND;
}

int nvmlDeviceGetApplicationsClock(void *device, unsigned type, unsigned *mhz) {
    (void)device, (void)type;
    *mhz = 7;
    return NOT_SUPPORTED;
}

int nvmlDeviceGetPowerUsage(void *device, unsigned *milliwatts) {
    return tell(device, fake_gpu.milliwatts, milliwatts);
}

int nvmlDeviceGetEnforcedPowerLimit(void *device, unsigned *milliwatts) {
    *milliwatts = 700000;
    return device == &gpu ? SUCCESS : NOT_FOUND;
}

int nvmlDeviceGetTemperature(void *device, unsigned sensor, unsigned *celsius) {
    return sensor == 0 ? tell(device, fake_gpu.celsius, celsius) : NOT_FOUND;
}

int nvmlDeviceGetCurrentClocksEventReasons(void *device, unsigned long long *reasons) {
    unsigned narrow;
    int status = tell(device, fake_gpu.reasons, &narrow);
    *reasons = narrow;
    return status;
}

int nvmlDeviceGetTotalEnergyConsumption(void *device, unsigned long long *millijoules) {
    if (getenv("FAKE_NVML_MILLIJOULES") && !fake_gpu.millijoules)
        fake_gpu.millijoules = fake_gpu.step = (unsigned)atoi(getenv("FAKE_NVML_MILLIJOULES"));
    if (device != &gpu || !fake_gpu.millijoules)
        return NOT_SUPPORTED;
    *millijoules = fake_gpu.millijoules += fake_gpu.step;
    return SUCCESS;
}

/* Writes the longest entries that there may be. */
int PROCESSES(void *device, unsigned *count, void *entries) {
    unsigned room = *count;
    int status = tell(device, fake_gpu.processes, count);
    if (status != SUCCESS)
        return status;
    memset(entries, 0xff, (size_t)(*count < room ? *count : room) * 64);
    return *count > room ? INSUFFICIENT_SIZE : SUCCESS;
}

int nvmlDeviceGetEccMode(void *device, unsigned *current, unsigned *pending) {
    *current = 1;
    *pending = 0;
    return device == &gpu ? SUCCESS : NOT_FOUND;
}

int nvmlDeviceGetMigMode(void *device, unsigned *current, unsigned *pending) {
    *current = 0;
    *pending = 1;
    return device == &gpu ? SUCCESS : NOT_FOUND;
}

int nvmlSystemGetDriverVersion(char *version, unsigned length) {
    static const char fake[] = "580.65.06";
    memcpy(version, fake, sizeof fake <= length ? sizeof fake : length);
    return SUCCESS;
}
