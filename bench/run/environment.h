/* Where a run was measured: the machine, its software and this build, for manifest.json. */
#ifndef BENCH_RUN_ENVIRONMENT_H
#define BENCH_RUN_ENVIRONMENT_H

#include <jansson.h>

#include "bench/device/device.h"

/* A new object with the members gpu, driver, cuda, cpu, memory_bytes, os, openblas, load_average,
 * variables and gemmgate. What cannot be read is null. device_kind is "host" or "cuda"; info is what that device told of itself. The
 * caller decrefs. */
json_t *environment_describe(const char *device_kind, const struct device_info *info);

/* What this program was built from and with; "" where there is none. */
struct environment_build {
    const char *version, *commit, *compiler, *flags, *cuda_compiler, *cuda_architectures;
};
extern const struct environment_build environment_build;

#endif
