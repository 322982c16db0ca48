/* The machine code in a library, by way of NVIDIA's disassembler where there is one. */
#ifndef BENCH_CUOBJDUMP_H
#define BENCH_CUOBJDUMP_H

#include "correctness/machine_code.h"

/* Runs cuobjdump, of PATH or else of /usr/local/cuda/bin, on a library and reads what it prints.
 * confine, unless NULL, is called in the process that is about to be it, with the folder that is
 * its for temporary files, and returns 0 or, after error(), -1. Returns 0; 1 with *why (static
 * storage) where cuobjdump is not there, fails, takes longer than the limit, which kills it, or
 * prints more functions than can be kept; -1 after error(). */
int cuobjdump_read(const char *so, int limit_seconds, int (*confine)(const char *scratch),
                   struct machine_code *code, const char **why);

#endif
