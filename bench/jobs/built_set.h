/* A kernel set made ready to be measured: compiled. */
#ifndef BENCH_JOBS_BUILT_SET_H
#define BENCH_JOBS_BUILT_SET_H

#include <stdbool.h>

#include "bench/device/device.h"
#include "candidates/build/build.h"
#include "candidates/set/set.h"

/* Compiles for the device the wanted kernels that the cache lacks. *built has members as set->list,
 * and is NULL for a set without kernels; the caller frees it, whatever is returned. 0, or -1 after
 * error(). */
int built_set_make(const struct candidate_set *set, const struct build_options *build,
                   const struct device_info *device, const bool *wanted, bool confined,
                   struct built **built);

#endif
