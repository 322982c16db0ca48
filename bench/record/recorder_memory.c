/* The kernel's memory is the arena's: when the driver has served it, what it served is given back
 * and the kernel gets a piece of the arena instead. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cuda_runtime_api.h>

#include "bench/device/fixed_memory.h"
#include "bench/record/recorder.h"
#include "bench/record/recorder_parts.h"

enum { ALIGNMENT = 512, MOST_PIECES = 4096, CHUNK = 64 << 10, READ = 4 << 20 };

/* Pieces in the order of their addresses, without gaps. What follows the last has never been used. */
struct piece {
    uint64_t at, bytes; /* at: in the arena */
    uint64_t asked;     /* the bytes of it that the kernel has asked for */
    bool used;
};
static struct {
    struct piece pieces[MOST_PIECES];
    int count;
    uint64_t held; /* bytes that the kernel has asked for and not given back */
    uint32_t fill; /* what nobody has written */
} arena;

void recorder_fill_arena(uint32_t fill) {
    fixed_memory_fill_arena(fill);
    arena.fill = fill;
}

uint64_t recorder_arena_bytes(void) {
    if (arena.count == 0)
        return 0;
    const struct piece *last = &arena.pieces[arena.count - 1];
    return last->at + last->bytes;
}

/* The smallest free piece that is large enough; NULL where there is none. */
static struct piece *find_free(uint64_t size) {
    struct piece *best = NULL;
    for (int i = 0; i < arena.count; i++) {
        struct piece *piece = &arena.pieces[i];
        if (!piece->used && piece->bytes >= size && (!best || piece->bytes < best->bytes))
            best = piece;
    }
    return best;
}

/* A new piece behind the others; NULL with *why. */
static struct piece *add_piece(uint64_t size, const char **why) {
    const uint64_t end = recorder_arena_bytes();
    *why = "it takes too many pieces of memory";
    if (size == 0 || arena.count == MOST_PIECES)
        return NULL;
    if (size > FIXED_ARENA_BYTES || fixed_memory_grow_arena(end + size, why) < 0)
        return NULL;
    arena.pieces[arena.count] = (struct piece){.at = end, .bytes = size};
    return &arena.pieces[arena.count++];
}

/* 0 where there is no room. */
static CUdeviceptr take_arena(uint64_t bytes) {
    const uint64_t size = (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    const char *why = "";
    struct piece *piece = find_free(size);
    if (!piece)
        piece = add_piece(size, &why);
    if (!piece) {
        recorder_refuse("it allocates %llu MiB: %s", (unsigned long long)(bytes >> 20), why);
        return 0;
    }
    piece->asked = bytes;
    piece->used = true;
    return fixed_memory_arena() + piece->at;
}

static bool is_arena(CUdeviceptr at) {
    return fixed_memory_has(at) && at >= fixed_memory_arena();
}

/* NULL where no piece begins there. */
static struct piece *find_piece(CUdeviceptr at) {
    for (int i = 0; i < arena.count; i++)
        if (fixed_memory_arena() + arena.pieces[i].at == at && arena.pieces[i].used)
            return &arena.pieces[i];
    return NULL;
}

static CUdeviceptr hand_out(uint64_t bytes) {
    const CUdeviceptr at = take_arena(bytes);
    arena.held += at ? bytes : 0;
    facts_hold(&recorder.facts, arena.held);
    return at;
}

/* *pointer is the caller's own variable, which it has not read yet. stream: NULL where the driver has
 * served it on none. */
static void serve(CUdeviceptr *pointer, uint64_t bytes, const CUstream *stream) {
    const CUdeviceptr at = recorder.phase == RECORDER_COUNTED ? 0 : hand_out(bytes);
    if (at == 0)
        return;
    if ((stream ? recorder.driver->cuMemFreeAsync(*pointer, *stream)
                : recorder.driver->cuMemFree(*pointer)) != CUDA_SUCCESS)
        recorder_refuse("memory that it was given cannot be given back");
    *pointer = at;
}

void recorder_on_alloc(const struct recorder_event *event) {
    const cuMemAlloc_v2_params *p = event->parameters;
    serve(p->dptr, p->bytesize, NULL);
}

void recorder_on_alloc_pitch(const struct recorder_event *event) {
    const cuMemAllocPitch_v2_params *p = event->parameters;
    serve(p->dptr, *p->pPitch * p->Height, NULL);
}

void recorder_on_alloc_async(const struct recorder_event *event) {
    const cuMemAllocAsync_params *p = event->parameters;
    serve(p->dptr, p->bytesize, &p->hStream);
}

void recorder_on_alloc_pool(const struct recorder_event *event) {
    const cuMemAllocFromPoolAsync_params *p = event->parameters;
    serve(p->dptr, p->bytesize, &p->hStream);
}

/* The driver does not know this memory, and says so. The kernel is told what it would have been
 * told. Returns whether it is such memory. */
static bool free_piece(const struct recorder_event *event, CUdeviceptr at) {
    if (!is_arena(at))
        return false;
    struct piece *piece = find_piece(at);
    if (!piece) {
        recorder_refuse("it frees memory that it does not have");
        return false;
    }
    *(CUresult *)event->data->functionReturnValue = CUDA_SUCCESS;
    arena.held -= piece->asked;
    piece->used = false;
    return true;
}

void recorder_on_free_async(const struct recorder_event *event) {
    const cuMemFreeAsync_params *p = event->parameters;
    free_piece(event, p->dptr);
}

/* The driver waits for everything then. */
void recorder_on_free(const struct recorder_event *event) {
    const cuMemFree_v2_params *p = event->parameters;
    recorder.settled |= free_piece(event, p->dptr);
}

static bool holds_only(uint32_t word, const unsigned char *bytes, uint64_t size) {
    for (uint64_t i = 0; i < size; i += sizeof word)
        if (memcmp(bytes + i, &word, sizeof word) != 0)
            return false;
    return true;
}

/* Chunks that are zero, or that nobody has written, are not kept. */
static void keep_chunks(const unsigned char *bytes, uint64_t size, CUdeviceptr at) {
    for (uint64_t done = 0; done < size; done += CHUNK) {
        const uint64_t left = size - done, chunk = left < CHUNK ? left : CHUNK;
        if (holds_only(0, bytes + done, chunk) || holds_only(arena.fill, bytes + done, chunk))
            continue;
        const struct recording_memory memory = {
            .address = at + done,
            .held = recording_add_bytes(&recorder.writer, bytes + done, chunk)};
        recording_add_memory(&recorder.writer, &memory);
    }
}

/* False where the device cannot be read. */
static bool keep_piece(const struct piece *piece, unsigned char *buffer) {
    for (uint64_t done = 0; done < piece->bytes && !recorder.writer.full; done += READ) {
        const uint64_t left = piece->bytes - done, size = left < READ ? left : READ;
        const CUdeviceptr at = fixed_memory_arena() + piece->at + done;
        if (recorder.driver->cuMemcpyDtoH(buffer, at, size) != CUDA_SUCCESS)
            return false;
        keep_chunks(buffer, size, at);
    }
    return true;
}

void recorder_keep_arena(void) {
    unsigned char *buffer = malloc(READ);
    for (int i = 0; i < arena.count && buffer; i++)
        if (arena.pieces[i].used && !keep_piece(&arena.pieces[i], buffer)) {
            recorder_refuse("its memory cannot be read");
            break;
        }
    if (!buffer)
        recorder_refuse("there is no memory to keep its memory in");
    free(buffer);
}
