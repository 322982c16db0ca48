/* A kernel set made ready to be measured: compiled. */
#ifndef BENCH_JOBS_PREPARED_SET_H
#define BENCH_JOBS_PREPARED_SET_H

#include <stdbool.h>

#include "bench/device/device.h"
#include "candidates/build/build.h"
#include "candidates/set/set.h"

/* Members as set->list. All NULL for a set without kernels. */
struct prepared_set {
    const struct candidate_set *set; /* not owned */
    struct built *built;
};

/* Compiles for the device the wanted kernels that the cache lacks. 0, or -1 after error(); either
 * way the caller frees with prepared_set_free. */
int prepared_set_make(struct prepared_set *prepared, const struct candidate_set *set,
                      const struct build_options *build, const struct device_info *device,
                      const bool *wanted, bool confined);
void prepared_set_free(struct prepared_set *prepared);

#endif
