/* A recording as a recipe: files that `--candidates` reads. It is the recipe of one shape, since a
 * recording has the numbers of one. */
#ifndef BENCH_REPLAY_EXPORT_H
#define BENCH_REPLAY_EXPORT_H

#include <stddef.h>
#include <stdint.h>

#include "bench/base/element.h"
#include "bench/base/shape.h"
#include "bench/replay/recording.h"

struct export_request {
    const char *folder;         /* is made */
    struct shape shape, padded; /* of the problem, and of the operands that the kernel was given */
    enum element element;
    int32_t accumulate; /* enum gemm_accumulate: what the kernel claims */
};

/* Writes FOLDER/MxNxK.recipe.json, .cubin and, where the kernel's memory held something before the
 * first call, .memory. 0; 1 with why where no recipe says the same: nothing is left there then; -1
 * after error(). */
int export_recipe(const void *bytes, size_t size, const struct export_request *request,
                  char why[RECORDING_WHY]);

#endif
