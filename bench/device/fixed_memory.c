#include "bench/device/fixed_memory.h"

#include <stdio.h>
#include <string.h>
#include <sys/random.h>

#include "bench/device/cuda_driver.h"

enum { MOST_PIECES = 1024 };

/* The arena grows by so much. */
#define STEP (UINT64_C(32) << 20)

static struct {
    const struct cuda_driver *driver; /* NULL until the range is there */
    CUmemAllocationProp property;
    size_t granularity;
    uint64_t base;
    uint64_t used;  /* of the first half, by pieces without an offset of their own */
    uint64_t arena; /* bytes of it that have memory */
    uint32_t fill;
    struct piece {
        CUdeviceptr at;
        size_t bytes;
        CUmemGenericAllocationHandle handle;
        CUdeviceptr writable; /* its other address, if it is sealed; else 0 */
    } pieces[MOST_PIECES];
    int piece_count;    /* beyond the last that is used */
    CUdeviceptr hidden; /* sealed pieces lie so far behind it as behind the base, and those without
                         * an offset of their own lie there alone; 0: none does */
    char text[200];
} fixed;

static int failed(const char *what, CUresult status, const char **why) {
    snprintf(fixed.text, sizeof fixed.text, "%s: %s", what, cuda_driver_words(status));
    *why = fixed.text;
    return -1;
}

/* A driver heeds a wish for an address only where that is aligned to far more than 32 MiB. Each
 * process that asks gets the same address, unless something of its process is in the way. Where
 * parameters of a kernel have two numbers of 32 bits side by side, they read as an address of the
 * range if the second is its upper half: from 15024 on at the first address, which is no usual
 * size, and from 4096 on at the second. */
static int reserve(const char **why) {
    static const uint64_t addresses[] = {UINT64_C(0x3ab) << 36, UINT64_C(1) << 44,
                                         UINT64_C(1) << 45,     UINT64_C(3) << 44,
                                         UINT64_C(1) << 43,     UINT64_C(1) << 42};
    CUdeviceptr at = 0;
    CUresult status = CUDA_SUCCESS;
    for (size_t i = 0; i < sizeof addresses / sizeof *addresses; i++) {
        status = fixed.driver->cuMemAddressReserve(&at, FIXED_BYTES, 0, addresses[i], 0);
        if (status != CUDA_SUCCESS)
            continue;
        if (at == addresses[i]) {
            fixed.base = at;
            return 0;
        }
        fixed.driver->cuMemAddressFree(at, FIXED_BYTES);
    }
    if (status != CUDA_SUCCESS)
        return failed("cuMemAddressReserve", status, why);
    snprintf(fixed.text, sizeof fixed.text,
             "the driver gives addresses at 0x%llx, and at no fixed address",
             (unsigned long long)at);
    *why = fixed.text;
    return -1;
}

/* The driver heeds a wish for an address that is free. Where in the range pieces lie is drawn, too. */
static int reserve_hidden(const char **why) {
    const uint64_t bytes = 2 * FIXED_BYTES;
    CUdeviceptr at = 0;
    for (int i = 0; i < 8; i++) {
        uint32_t drawn[2];
        if (getrandom(drawn, sizeof drawn, 0) != sizeof drawn) {
            *why = "the system gives no random numbers";
            return -1;
        }
        const uint64_t wish = (uint64_t)(32 + drawn[0] % 960) << 37;
        const CUresult status = fixed.driver->cuMemAddressReserve(&at, bytes, 0, wish, 0);
        if (status != CUDA_SUCCESS && i == 7)
            return failed("cuMemAddressReserve", status, why);
        if (status != CUDA_SUCCESS)
            continue;
        if (at == wish || i == 7) {
            fixed.hidden = at + drawn[1] % (FIXED_BYTES / STEP) * STEP;
            return 0;
        }
        fixed.driver->cuMemAddressFree(at, bytes);
    }
    return -1;
}

int fixed_memory_open(bool sealing, const char **why) {
    CUdevice device;
    const struct cuda_driver *driver = cuda_driver(why);
    if (!driver)
        return -1;
    CUresult status = driver->cuCtxGetDevice(&device);
    if (status != CUDA_SUCCESS)
        return failed("cuCtxGetDevice", status, why);
    fixed.property =
        (CUmemAllocationProp){.type = CU_MEM_ALLOCATION_TYPE_PINNED,
                              .location = {.type = CU_MEM_LOCATION_TYPE_DEVICE, .id = device}};
    status = driver->cuMemGetAllocationGranularity(&fixed.granularity, &fixed.property,
                                                   CU_MEM_ALLOC_GRANULARITY_RECOMMENDED);
    if (status != CUDA_SUCCESS)
        return failed("cuMemGetAllocationGranularity", status, why);
    fixed.driver = driver;
    return reserve(why) < 0 ? -1 : sealing ? reserve_hidden(why) : 0;
}

uint64_t fixed_memory_base(void) {
    return fixed.base;
}

void fixed_memory_fill_arena(uint32_t fill) {
    fixed.fill = fill;
}

uint64_t fixed_memory_arena(void) {
    return fixed.base ? fixed.base + FIXED_BYTES / 2 : 0;
}

uint64_t fixed_memory_arena_bytes(void) {
    return fixed.arena;
}

bool fixed_memory_has(uint64_t address) {
    return (fixed.base && address >= fixed.base && address - fixed.base < FIXED_BYTES) ||
           (fixed.hidden && address >= fixed.hidden && address - fixed.hidden < FIXED_BYTES);
}

static uint64_t round_up(uint64_t bytes, uint64_t unit) {
    return (bytes + unit - 1) / unit * unit;
}

static CUresult map_at(CUdeviceptr at, uint64_t bytes, CUmemGenericAllocationHandle handle,
                       CUmemAccess_flags flags) {
    const struct cuda_driver *driver = fixed.driver;
    const CUmemAccessDesc access = {.location = fixed.property.location, .flags = flags};
    CUresult status = driver->cuMemMap(at, bytes, 0, handle, 0);
    if (status != CUDA_SUCCESS)
        return status;
    status = driver->cuMemSetAccess(at, bytes, &access, 1);
    if (status != CUDA_SUCCESS)
        driver->cuMemUnmap(at, bytes);
    return status;
}

/* New pages at the piece's address, or at both. */
static int map(struct piece *piece, const char **why) {
    const struct cuda_driver *driver = fixed.driver;
    const CUmemAccess_flags both = CU_MEM_ACCESS_FLAGS_PROT_READWRITE;
    CUresult status = driver->cuMemCreate(&piece->handle, piece->bytes, &fixed.property, 0);
    if (status != CUDA_SUCCESS)
        return failed("cuMemCreate", status, why);
    status = map_at(piece->at, piece->bytes, piece->handle,
                    piece->writable ? CU_MEM_ACCESS_FLAGS_PROT_READ : both);
    if (status == CUDA_SUCCESS && piece->writable) {
        status = map_at(piece->writable, piece->bytes, piece->handle, both);
        if (status != CUDA_SUCCESS)
            driver->cuMemUnmap(piece->at, piece->bytes);
    }
    if (status == CUDA_SUCCESS)
        return 0;
    driver->cuMemRelease(piece->handle);
    return failed("mapping memory", status, why);
}

static struct piece *find_piece(CUdeviceptr at) {
    for (int i = 0; i < MOST_PIECES; i++)
        if (fixed.pieces[i].at == at)
            return &fixed.pieces[i];
    return NULL;
}

static int take_piece(CUdeviceptr at, uint64_t bytes, bool seal, const char **why) {
    struct piece *piece = find_piece(0);
    *why = "the range at a fixed address is in too many pieces";
    if (!piece)
        return -1;
    *piece = (struct piece){.at = at, .bytes = bytes};
    if (seal && fixed.hidden)
        piece->writable = fixed.hidden + (at - fixed.base);
    if (map(piece, why) < 0) {
        *piece = (struct piece){0};
        return -1;
    }
    if (fixed.piece_count <= piece - fixed.pieces)
        fixed.piece_count = (int)(piece - fixed.pieces) + 1;
    return 0;
}

void *fixed_memory_writable(const void *memory) {
    const CUdeviceptr at = (CUdeviceptr)(uintptr_t)memory;
    for (int i = 0; i < fixed.piece_count && fixed.hidden; i++) {
        const struct piece *piece = &fixed.pieces[i];
        if (piece->writable && at >= piece->at && at - piece->at < piece->bytes)
            return (void *)(uintptr_t)(piece->writable + (at - piece->at));
    }
    return (void *)(uintptr_t)memory;
}

int fixed_memory_take(uint64_t offset, size_t *bytes, bool seal, void **memory, const char **why) {
    const bool anywhere = offset == FIXED_ANYWHERE;
    const uint64_t size = round_up(*bytes, fixed.granularity),
                   from = anywhere ? fixed.used : offset;
    const CUdeviceptr at = (anywhere && fixed.hidden ? fixed.hidden : fixed.base) + from;
    *why = "the range at a fixed address is used up";
    if (from > FIXED_BYTES / 2 || size > FIXED_BYTES / 2 - from ||
        take_piece(at, size, seal && !anywhere, why) < 0)
        return -1;
    if (anywhere)
        fixed.used += size;
    *memory = (void *)(uintptr_t)at;
    *bytes = size;
    return 0;
}

/* The pages of a piece go once nothing uses them any more. */
static int unmap(const struct piece *piece, const char **why) {
    CUresult status = fixed.driver->cuCtxSynchronize();
    if (status == CUDA_SUCCESS)
        status = fixed.driver->cuMemUnmap(piece->at, piece->bytes);
    if (status == CUDA_SUCCESS && piece->writable)
        status = fixed.driver->cuMemUnmap(piece->writable, piece->bytes);
    if (status == CUDA_SUCCESS)
        status = fixed.driver->cuMemRelease(piece->handle);
    return status == CUDA_SUCCESS ? 0 : failed("unmapping memory", status, why);
}

int fixed_memory_free(void *memory, const char **why) {
    struct piece *piece = find_piece((CUdeviceptr)(uintptr_t)memory);
    const int status = unmap(piece, why);
    *piece = (struct piece){0};
    return status;
}

int fixed_memory_grow_arena(uint64_t bytes, const char **why) {
    uint64_t *there = &fixed.arena;
    const uint64_t wanted = round_up(bytes, STEP);
    if (wanted <= *there)
        return 0;
    *why = "the arena is used up";
    if (wanted > FIXED_ARENA_BYTES)
        return -1;
    const uint64_t more = round_up(wanted - *there, fixed.granularity);
    const CUdeviceptr at = fixed_memory_arena() + *there;
    if (take_piece(at, more, false, why) < 0)
        return -1;
    *there += more;
    CUresult status = fixed.driver->cuMemsetD32(at, fixed.fill, more / sizeof fixed.fill);
    if (status == CUDA_SUCCESS) /* streams that do not wait for it may write there next */
        status = fixed.driver->cuStreamSynchronize(CU_STREAM_LEGACY);
    return status == CUDA_SUCCESS ? 0 : failed("cuMemsetD32", status, why);
}

int fixed_memory_clear(uint64_t from, const char **why) {
    int status = 0;
    for (int i = 0; i < MOST_PIECES; i++)
        if (fixed.pieces[i].at && fixed_memory_free((void *)(uintptr_t)fixed.pieces[i].at, why) < 0)
            status = -1;
    fixed.arena = 0;
    fixed.fill = 0;
    fixed.used = round_up(from, fixed.granularity);
    return status;
}
