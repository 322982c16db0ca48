/* Device memory at addresses that are the same in every process: one range at a fixed address. Its
 * first half serves the harness, piece by piece at the offsets that it names or one behind the
 * other; its second half is the arena. */
#ifndef BENCH_DEVICE_FIXED_MEMORY_H
#define BENCH_DEVICE_FIXED_MEMORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define FIXED_BYTES (UINT64_C(1) << 36)
#define FIXED_ARENA_BYTES (FIXED_BYTES / 2)
#define FIXED_ANYWHERE UINT64_MAX

/* Reserves the range on the current device. 0, or -1 with *why, good until the next call.
 * sealing: pieces can be sealed. Code on the device can read these and a store of its own to them
 * is a fault that ends its context; who knows where they can be written, which is at addresses that
 * are drawn for this process, can write them. All pieces without an offset of their own lie there
 * alone. */
int fixed_memory_open(bool sealing, const char **why);

/* What word new memory of the arena is filled with from now on: at first 0. */
void fixed_memory_fill_arena(uint32_t fill);

/* Where the range and the arena begin; 0 where there is none. */
uint64_t fixed_memory_base(void);
uint64_t fixed_memory_arena(void);

/* How much of it has memory. */
uint64_t fixed_memory_arena_bytes(void);

/* Whether an address is of the range, or of that where pieces are drawn to. */
bool fixed_memory_has(uint64_t address);

/* Memory of the first half: `offset` bytes behind its begin, or FIXED_ANYWHERE, which is behind the
 * last piece that was taken so. *bytes: how much is wanted, and then how much is mapped. seal: where
 * pieces can be sealed this one is. 0, or -1 with *why. */
int fixed_memory_take(uint64_t offset, size_t *bytes, bool seal, void **memory, const char **why);

/* Where the memory at that address can be written: elsewhere, if it is sealed. */
void *fixed_memory_writable(const void *memory);

/* Frees such a piece, once the device is idle. Its address is gone either way. 0, or -1 with
 * *why. */
int fixed_memory_free(void *memory, const char **why);

/* Makes sure that the arena has memory up to so many bytes. 0, or -1 with *why. */
int fixed_memory_grow_arena(uint64_t bytes, const char **why);

/* Gives back all that is taken, the arena too, once the device is idle; what is taken anywhere begins
 * `from` bytes behind the begin from now on. 0, or -1 with *why. */
int fixed_memory_clear(uint64_t from, const char **why);

#endif
