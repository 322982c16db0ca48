/* A kernel set made ready to be measured: compiled, and its machine code read. */
#ifndef BENCH_RELEASE_H
#define BENCH_RELEASE_H

#include <stdbool.h>

#include "bench/device.h"
#include "bench/disassembly.h"
#include "candidates/build.h"
#include "candidates/set.h"

/* Members as set->list. All NULL for a set without kernels. */
struct release {
    const struct candidate_set *set; /* not owned */
    struct built *built;
    struct disassembly *code; /* NULL on the host device */
};

/* Of the kernels that are wanted: compiles for the device what is not in the cache, and reads the
 * machine code. 0, or -1 after error(); either way the caller frees with release_free. */
int release_prepare(struct release *release, const struct candidate_set *set,
                    const struct build_options *build, const struct device_info *device,
                    const bool *wanted, bool confined);
void release_free(struct release *release);

#endif
