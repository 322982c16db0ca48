/* For tests: what recordings of the fake GPU (fake_gpu.c) hold, whose device code is a kernel's
 * library. Their format is the real one; the work that they name lies in their blob, for nothing of
 * a GPU can be said of it. The stage loads that library and calls it: launch, or where the library
 * has it
 *
 *     int fake_kernel(void *state, const struct gemm_args *args);
 *
 * which is then what the kernel does without its own process. Its memory is what its setup makes,
 * and is made anew where a recording's memory is restored. What it returns is a status, but for
 * FAKE_FAULT: then the device is lost when it is waited for.
 *
 * A string `fake_recording` of the library says how it is recorded. "stream": not at all, for it
 * works on another stream; "late-stream": only where the recorder comes late. "other-work": it
 * launches other kernels there. As something of another "magic", "version" or "base". "claimed": of
 * a size that cannot be. */
#ifndef TESTS_SUPPORT_FAKE_RECORDING_H
#define TESTS_SUPPORT_FAKE_RECORDING_H

#include <limits.h>
#include <stdbool.h>

#include "candidates/gemmgate.h"

/* Of an illegal address, as CUDA has it. */
#define FAKE_FAULT 700

/* Where a recording's blob begins. */
struct fake_work {
    struct gemm_problem problem;
    char library[PATH_MAX];
};

/* Whether a kernel has made the fake GPU unusable: fake_gpu.c heeds it. */
extern bool fake_gpu_lost;

/* Whether a recording has been loaded. */
extern bool fake_gpu_plays;

/* Adds a line to $FAKE_GPU_OPERATIONS. */
void fake_gpu_note(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif
