#include "bench/device/host_pages.h"

#include <errno.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>

#include "bench/base/error.h"

enum { MOST_PIECES = 256 };

static struct piece {
    void *at;
    size_t bytes;
} pieces[MOST_PIECES];

static struct piece *find(const void *memory) {
    for (int i = 0; i < MOST_PIECES; i++)
        if (pieces[i].at == memory)
            return &pieces[i];
    return NULL;
}

/* At once and not when they are first written to: pages are to come in the order in which they are
 * asked for. MAP_FIXED is not for kernels' processes, and would replace what is there. */
static void *map(void *at, size_t bytes) {
    const int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE;
    return mmap(at, bytes, PROT_READ | PROT_WRITE, flags | (at ? MAP_FIXED_NOREPLACE : 0), -1, 0);
}

void *host_pages_take(size_t bytes) {
    struct piece *piece = find(NULL);
    void *memory = piece ? map(NULL, bytes) : MAP_FAILED;
    if (memory == MAP_FAILED) {
        error("no %zu MiB of memory: %s", bytes >> 20, piece ? strerror(errno) : "too many pieces");
        return NULL;
    }
    *piece = (struct piece){memory, bytes};
    return memory;
}

bool host_pages_release(void *memory) {
    struct piece *piece = memory ? find(memory) : NULL;
    if (!piece)
        return false;
    munmap(piece->at, piece->bytes);
    *piece = (struct piece){0};
    return true;
}

int host_pages_vacate(void *memory) {
    const struct piece *piece = find(memory);
    return munmap(piece->at, piece->bytes) < 0
               ? error("memory cannot be given back: %s", strerror(errno))
               : 0;
}

int host_pages_occupy(void *memory) {
    const struct piece *piece = find(memory);
    void *got = map(piece->at, piece->bytes);
    if (got == piece->at)
        return 0;
    return error("%zu MiB cannot be had again at their address: %s", piece->bytes >> 20,
                 got == MAP_FAILED ? strerror(errno) : "others are there");
}
