/* Records what a kernel has the device do, in the process that has loaded it, and counts what it
 * asks of the driver meanwhile. */
#ifndef BENCH_RECORD_RECORDER_H
#define BENCH_RECORD_RECORDER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "bench/record/recording.h"
#include "candidates/gemmgate.h"
#include "correctness/contract/facts.h"

/* Loads CUPTI, which is not linked, unless it cannot be had: before a kernel is loaded, so that
 * none sees by it whether its process records, or keeps it from being loaded later. */
void recorder_load(void);

/* Starts watching this process; call before the first CUDA call. Or late: one that has long called its
 * kernels. Then their calls are counted, and what could not be recorded is refused, but nothing is
 * kept and no memory is served; to start late again changes nothing. 0, or -1 with *why (static
 * storage). */
int recorder_start(bool late, const char **why);

/* The words that memory holds which the kernel has not written. Elsewhere it holds zeros. Before its
 * library is loaded. */
void recorder_fill_arena(uint32_t fill);

/* The calls of this thread between begin and end are the kernel's: memory that it takes is served
 * from the arena of bench/device/fixed_memory.h. It belongs to its setup, or to a call: NULL
 * where that is not kept. */
void recorder_begin_setup(void);
void recorder_begin_call(const struct gemm_args *kept);
void recorder_end(void);

/* Until recorder_end the calls of this thread are a library's: they are counted, and nothing is kept
 * or served. */
void recorder_begin_counted(void);

/* Copies the facts of all that was done since the last time, and why it could not be recorded, ""
 * where it could; both begin anew then. */
void recorder_tell(struct facts *facts, char why[RECORDING_WHY]);

/* Between setup and calls, with the device idle: keeps what the kernel's memory holds. */
void recorder_keep_memory(void);

/* Writes a recording (bench/record/recording.h). 0; 1 with why where the kernel's work cannot be
 * carried out elsewhere. */
int recorder_write(void *to, uint64_t room, uint64_t *bytes, char why[RECORDING_WHY]);

#endif
