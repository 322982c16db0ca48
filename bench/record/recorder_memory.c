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

/* Pieces in the order of their addresses, without gaps: what follows the last is free. */
struct piece {
    uint64_t at, bytes; /* at: in the arena */
    uint64_t asked;     /* the bytes of it that the kernel has asked for */
    bool used;
};
static struct {
    struct piece pieces[MOST_PIECES];
    int count;
    uint64_t most; /* bytes that have ever been in use */
    uint64_t held; /* bytes that the kernel has asked for and not given back */
    uint32_t fill; /* what nobody has written */
} arena;

void recorder_fill_arena(uint32_t fill) {
    fixed_memory_fill_arena(fill);
    arena.fill = fill;
}

uint64_t recorder_arena_bytes(void) {
    return arena.most;
}

static void insert_piece(int index, struct piece piece) {
    for (int i = arena.count++; i > index; i--)
        arena.pieces[i] = arena.pieces[i - 1];
    arena.pieces[index] = piece;
}

static void remove_piece(int index) {
    arena.count--;
    for (int i = index; i < arena.count; i++)
        arena.pieces[i] = arena.pieces[i + 1];
}

/* The first free piece that is large enough. 0 where there is none. */
static CUdeviceptr take_arena(uint64_t bytes) {
    const uint64_t size = (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    const char *why = "it takes too many pieces of memory";
    uint64_t end = 0;
    int i = 0;
    if (size == 0 || arena.count + 1 >= MOST_PIECES)
        goto refuse;
    for (; i < arena.count; i++) {
        struct piece *piece = &arena.pieces[i];
        end = piece->at + piece->bytes;
        if (piece->used || piece->bytes < size)
            continue;
        const struct piece rest = {.at = piece->at + size, .bytes = piece->bytes - size};
        *piece = (struct piece){piece->at, size, bytes, true};
        if (rest.bytes > 0)
            insert_piece(i + 1, rest);
        return fixed_memory_arena() + arena.pieces[i].at;
    }
    if (size > FIXED_ARENA_BYTES || fixed_memory_grow_arena(end + size, &why) < 0)
        goto refuse;
    insert_piece(arena.count, (struct piece){end, size, bytes, true});
    if (arena.most < end + size)
        arena.most = end + size;
    return fixed_memory_arena() + end;
refuse:
    recorder_refuse("it allocates %llu MiB: %s", (unsigned long long)(bytes >> 20), why);
    return 0;
}

static bool is_arena(CUdeviceptr at) {
    return fixed_memory_has(at) && at >= fixed_memory_arena();
}

/* -1 where no piece begins there. */
static int find_piece(CUdeviceptr at) {
    for (int i = 0; i < arena.count; i++)
        if (fixed_memory_arena() + arena.pieces[i].at == at && arena.pieces[i].used)
            return i;
    return -1;
}

static void give_back(int i) {
    arena.held -= arena.pieces[i].asked;
    arena.pieces[i].used = false;
    if (i + 1 < arena.count && !arena.pieces[i + 1].used) {
        arena.pieces[i].bytes += arena.pieces[i + 1].bytes;
        remove_piece(i + 1);
    }
    if (i > 0 && !arena.pieces[i - 1].used) {
        arena.pieces[i - 1].bytes += arena.pieces[i].bytes;
        remove_piece(i--);
    }
    if (i + 1 == arena.count)
        remove_piece(i);
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

static void on_alloc(const struct recorder_event *event, const void *parameters) {
    const cuMemAlloc_v2_params *p = parameters;
    if (recorder_is_done(event))
        serve(p->dptr, p->bytesize, NULL);
}

static void on_alloc_pitch(const struct recorder_event *event, const void *parameters) {
    const cuMemAllocPitch_v2_params *p = parameters;
    if (recorder_is_done(event))
        serve(p->dptr, *p->pPitch * p->Height, NULL);
}

static void on_alloc_async(const struct recorder_event *event, const void *parameters) {
    const cuMemAllocAsync_params *p = parameters;
    if (recorder_is_done(event))
        serve(p->dptr, p->bytesize, &p->hStream);
}

static void on_alloc_pool(const struct recorder_event *event, const void *parameters) {
    const cuMemAllocFromPoolAsync_params *p = parameters;
    if (recorder_is_done(event))
        serve(p->dptr, p->bytesize, &p->hStream);
}

/* The driver does not know this memory, and says so. The kernel is told what it would have been
 * told. Returns whether it is such memory. */
static bool free_piece(const struct recorder_event *event, CUdeviceptr at) {
    if (!event->leaving || !is_arena(at))
        return false;
    const int i = find_piece(at);
    if (i < 0) {
        recorder_refuse("it frees memory that it does not have");
        return false;
    }
    *(CUresult *)event->data->functionReturnValue = CUDA_SUCCESS;
    give_back(i);
    return true;
}

static void on_free_async(const struct recorder_event *event, const void *parameters) {
    const cuMemFreeAsync_params *p = parameters;
    free_piece(event, p->dptr);
}

/* The driver waits for everything then. */
static void on_free(const struct recorder_event *event, const void *parameters) {
    const cuMemFree_v2_params *p = parameters;
    recorder.settled |= free_piece(event, p->dptr);
}

void recorder_handle_memory(struct recorder_slot *handlers) {
    RECORDER_HANDLE(cuMemAlloc_v2, on_alloc);
    RECORDER_HANDLE(cuMemAllocPitch_v2, on_alloc_pitch);
    RECORDER_HANDLE_BOTH(cuMemAllocAsync, _ptsz, on_alloc_async);
    RECORDER_HANDLE_BOTH(cuMemAllocFromPoolAsync, _ptsz, on_alloc_pool);
    RECORDER_HANDLE(cuMemFree_v2, on_free);
    RECORDER_HANDLE_BOTH(cuMemFreeAsync, _ptsz, on_free_async);
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
