#include "tests/support/fake_memory.h"

#include <errno.h>
#include <string.h>
#include <sys/mman.h>

#include "bench/base/error.h"

/* The place that the range has on most GPUs. */
#define BASE (UINT64_C(0x3ab) << 36)
#define PAGE (UINT64_C(2) << 20)

enum { MOST_PIECES = 1024 };

static struct {
    bool fixed, sealing, locked;
    uint64_t used; /* by pieces without a place of their own */
    struct piece {
        void *at;
        size_t bytes;
        bool sealed;
    } pieces[MOST_PIECES];
} memory;

uint64_t fake_memory_base(void) {
    return memory.fixed ? BASE : 0;
}

static int fix(void *state, bool sealing) {
    (void)state;
    memory.fixed = true;
    memory.sealing = sealing;
    return 0;
}

/* What may lie anywhere lies at a drawn address, if memory is sealed. */
static int alloc(void *state, uint64_t offset, bool seal, size_t *wanted_bytes, void **got) {
    const size_t bytes = (*wanted_bytes + PAGE - 1) / PAGE * PAGE;
    const uint64_t place = offset ? offset : memory.used;
    struct piece *piece = memory.pieces;
    if (!memory.fixed || (!offset && memory.sealing))
        return device_host.alloc(state, offset, seal, wanted_bytes, got);
    *wanted_bytes = bytes;
    memory.used += offset ? 0 : bytes;
    void *wanted = (void *)(uintptr_t)(BASE + place);
    while (piece < memory.pieces + MOST_PIECES && piece->at)
        piece++;
    if (piece == memory.pieces + MOST_PIECES || place + bytes > FAKE_MEMORY_BYTES / 2)
        return error("no room for another piece of fixed memory");
    const int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE;
    *got = mmap(wanted, bytes, PROT_READ | PROT_WRITE, flags, -1, 0);
    if (*got != wanted)
        return error("%zu MiB of fixed memory: %s", bytes >> 20,
                     *got == MAP_FAILED ? strerror(errno) : "others are there");
    *piece = (struct piece){wanted, bytes, seal && memory.sealing};
    return 0;
}

bool fake_memory_lock(bool locked) {
    const struct piece *end = memory.pieces + MOST_PIECES;
    const bool before = memory.locked;
    memory.locked = locked;
    for (const struct piece *piece = memory.pieces; piece < end; piece++)
        if (piece->sealed && locked != before)
            mprotect(piece->at, piece->bytes, locked ? PROT_READ : PROT_READ | PROT_WRITE);
    return before;
}

static void free_piece(void *state, void *given) {
    for (struct piece *piece = memory.pieces; given && piece < memory.pieces + MOST_PIECES; piece++)
        if (piece->at == given) {
            munmap(piece->at, piece->bytes);
            *piece = (struct piece){0};
            return;
        }
    device_host.free(state, given);
}

static int clear(void *state, uint64_t from) {
    for (struct piece *piece = memory.pieces; piece < memory.pieces + MOST_PIECES; piece++)
        free_piece(state, piece->at);
    if (memory.fixed)
        memory.used = from;
    return 0;
}

void fake_memory_serve(struct device_ops *device) {
    device->fix = fix;
    device->alloc = alloc;
    device->free = free_piece;
    device->clear = clear;
}
