/* The machine code in a library, by way of NVIDIA's disassembler where there is one. */
#ifndef BENCH_DEVICE_CUOBJDUMP_H
#define BENCH_DEVICE_CUOBJDUMP_H

#include <stdio.h>

#include "bench/base/child.h"
#include "correctness/audit/machine_code.h"

/* One run of cuobjdump, of PATH or else of /usr/local/cuda/bin. */
struct cuobjdump {
    struct child child; /* CHILD_NONE where there is no cuobjdump */
    FILE *text;         /* what it prints, in memory */
    char scratch[32];
};

/* Starts it on a library. confine (NULL: none) is that of struct child_program, and scratch the
 * folder that it has for temporary files. 0, or -1 after error(), with nothing to end. */
int cuobjdump_start(struct cuobjdump *run, const char *so, int (*confine)(const char *scratch));

/* Reads what it has printed; one that has not ended is killed, with all that it has started. 0; 1
 * with *why (static storage) where cuobjdump is not there, fails, was killed here, or prints more
 * than can be kept; -1 after error(). */
int cuobjdump_end(struct cuobjdump *run, struct machine_code *code, const char **why);

#endif
