/* The machine code in a library, by way of NVIDIA's disassembler where there is one. */
#ifndef BENCH_DEVICE_CUOBJDUMP_H
#define BENCH_DEVICE_CUOBJDUMP_H

#include <stdbool.h>
#include <stdio.h>
#include <sys/types.h>

#include "correctness/audit/machine_code.h"

/* One run of cuobjdump, of PATH or else of /usr/local/cuda/bin. */
struct cuobjdump {
    pid_t pid;
    double started; /* by clock_seconds */
    FILE *text;     /* what it prints, in memory */
    char scratch[32];
};

/* Starts it on a library. confine, unless NULL, is called in the process that is about to be it,
 * with the folder that is its for temporary files, and returns 0 or, after error(), -1. It may take
 * memory, so that no other thread may be at work here: a lock of theirs would stay locked there.
 * 0, or -1 after error(), with nothing to end. */
int cuobjdump_start(struct cuobjdump *run, const char *so, int (*confine)(const char *scratch));

bool cuobjdump_has_ended(const struct cuobjdump *run);

/* Reads what it has printed; one that has not ended is killed, with all that it has started. 0; 1
 * with *why (static storage) where cuobjdump is not there, fails, was killed here, or prints more
 * than can be kept; -1 after error(). */
int cuobjdump_end(struct cuobjdump *run, struct machine_code *code, const char **why);

#endif
