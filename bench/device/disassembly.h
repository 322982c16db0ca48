/* The machine code of every library of a set, read before anything is measured: it takes a second a
 * library, and there are cores enough while the GPU is idle. What was read of a NAME.so in the
 * cache is kept beside it as NAME.code, for the same program and as long as the library is the
 * same. */
#ifndef BENCH_DEVICE_DISASSEMBLY_H
#define BENCH_DEVICE_DISASSEMBLY_H

#include <stdbool.h>
#include <stddef.h>

#include "candidates/build/build.h"
#include "correctness/audit/machine_code.h"

struct disassembly {
    struct machine_code code;
    int status;      /* as cuobjdump_read; 1 also where nothing was asked or compiled */
    const char *why; /* of 1 */
};

/* Reads the libraries that are wanted (NULL: all). options->jobs readers run at once, each locked
 * in by options->confine. A library that several files share is read for each of them. When
 * *options->stop is set, no more are read. The caller frees *list with disassembly_free. 0, or -1
 * after error(). */
int disassembly_read(const struct built *built, const bool *wanted, size_t count,
                     const struct build_options *options, struct disassembly **list);
void disassembly_free(struct disassembly *list, size_t count);

#endif
