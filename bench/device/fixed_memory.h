/* Device memory at addresses that are the same in every process that asks in the same order: one
 * range at a fixed place. Its first half serves the harness, its second half is an arena. */
#ifndef BENCH_DEVICE_FIXED_MEMORY_H
#define BENCH_DEVICE_FIXED_MEMORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define FIXED_BYTES (UINT64_C(1) << 36)
#define FIXED_ARENA_BYTES (FIXED_BYTES / 2)

/* Reserves the range on the current device. 0, or -1 with *why, good until the next call. */
int fixed_memory_open(const char **why);

/* Where the range and its arena begin; 0 where there is none. */
uint64_t fixed_memory_base(void);
uint64_t fixed_memory_arena(void);

/* Whether an address is of the range. */
bool fixed_memory_has(uint64_t address);

/* Memory of the first half, one piece behind the other, never the same place twice. 0, or -1 with
 * *why. */
int fixed_memory_take(size_t bytes, void **memory, const char **why);

/* Of such a piece, once the device is idle. Its address is gone either way. 0, or -1 with *why. */
int fixed_memory_release(void *memory, const char **why);

/* Gives its pages back, once the device is idle, and keeps its address for fixed_memory_occupy,
 * which takes others. 0, or -1 with *why; what could not be occupied can be released. */
int fixed_memory_vacate(void *memory, const char **why);
int fixed_memory_occupy(void *memory, const char **why);

/* Makes sure that the arena has memory up to so many bytes; new memory is zero. 0, or -1 with *why.
 */
int fixed_memory_grow_arena(uint64_t bytes, const char **why);

#endif
