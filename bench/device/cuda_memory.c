/* Memory of the CUDA device: taking it, where it may lie, and copying out of it. */
#include "bench/device/cuda_parts.h"

#include <stdint.h>
#include <string.h>

#include "bench/base/error.h"
#include "bench/device/fixed_memory.h"

_Static_assert(SHAPE_MAX_SIZE * sizeof(float) <= CUDA_BOUNCE_BYTES, "a row fits");

void cuda_free(void *state, void *memory) {
    const char *why;
    (void)state;
    if (fixed_memory_has((uint64_t)(uintptr_t)memory)) {
        if (fixed_memory_free(memory, &why) < 0)
            warning("memory at a fixed address: %s", why);
    } else if (memory && cudaFree(memory) != cudaSuccess)
        warning("cudaFree: %s", cudaGetErrorString(cudaGetLastError()));
}

int cuda_fix(void *state, bool sealing) {
    struct cuda *cuda = state;
    const char *why;
    if (fixed_memory_open(sealing, &why) < 0)
        return error("memory at fixed addresses: %s", why);
    cuda->fixed = true;
    cuda->sealed = sealing;
    return 0;
}

static int alloc_fixed(uint64_t offset, size_t *bytes, bool seal, void **memory) {
    const char *why;
    if (fixed_memory_take(offset, bytes, seal, memory, &why) == 0)
        return 0;
    *memory = NULL;
    return error("%zu MiB at a fixed address: %s", *bytes >> 20, why);
}

int cuda_alloc(void *state, uint64_t offset, bool seal, size_t *bytes, void **memory) {
    if (((struct cuda *)state)->fixed)
        return alloc_fixed(offset ? offset : FIXED_ANYWHERE, bytes, seal, memory);
    cudaError_t status = cudaMalloc(memory, *bytes);
    if (status == cudaSuccess)
        return 0;
    size_t available = 0, total = 0;
    *memory = NULL;
    cudaGetLastError(); /* said below; not to be found again by the next sync */
    if (cudaMemGetInfo(&available, &total) != cudaSuccess)
        return cuda_failed("cudaMalloc", status);
    return error("cudaMalloc of %zu MiB: %s; %zu of %zu MiB are free", *bytes >> 20,
                 cudaGetErrorString(status), available >> 20, total >> 20);
}

uint64_t cuda_room(void *state) {
    size_t available = 0, total = 0;
    (void)state;
    return cudaMemGetInfo(&available, &total) == cudaSuccess ? available : 0;
}

/* Where memory can be sealed, the device's own memory moves to a drawn address. It moves as one
 * piece, since giving a piece back takes half a millisecond. */
int cuda_clear(void *state, uint64_t from) {
    struct cuda *cuda = state;
    struct {
        uint16_t tables[INPUT_TABLES][INPUT_TABLE_SIZE];
        struct seen seen[DEVICE_LOOKS];
        unsigned long long changed;
    } * own;
    const char *why;
    void *drawn;
    size_t bytes = sizeof *own;
    if (cuda->fixed && fixed_memory_clear(from, &why) < 0)
        return error("memory at fixed addresses: %s", why);
    if (!cuda->sealed)
        return 0;
    if (alloc_fixed(FIXED_ANYWHERE, &bytes, false, &drawn) < 0)
        return -1;
    own = drawn;
    for (int kind = 0; kind < INPUT_TABLES; kind++)
        cuda->tables[kind] = own->tables[kind];
    cuda->seen = own->seen;
    cuda->changed = &own->changed;
    return 0;
}

/* Copies rows to memory that the driver has locked; dense rows are copied as one. */
static cudaError_t copy_rows(void *to, const uint16_t *from, size_t width, size_t pitch,
                             size_t rows) {
    return width == pitch
               ? cudaMemcpy(to, from, width * rows, cudaMemcpyDeviceToHost)
               : cudaMemcpy2D(to, width, from, pitch, width, rows, cudaMemcpyDeviceToHost);
}

/* By way of locked memory, which the GPU writes by itself: many times as fast as straight into
 * pages that the driver has to lock or to copy. */
int cuda_copy_out(void *state, const uint16_t *from, int64_t rows, int64_t cols, int64_t ld,
                  uint16_t *to) {
    struct cuda *cuda = state;
    const size_t width = (size_t)cols * sizeof *to, pitch = (size_t)ld * sizeof *from;
    const int64_t most = (int64_t)(CUDA_BOUNCE_BYTES / width);
    for (int64_t row = 0; row < rows; row += most) {
        const size_t count = (size_t)(rows - row < most ? rows - row : most);
        NEED(copy_rows(cuda->bounce, from + row * ld, width, pitch, count));
        memcpy(to + row * cols, cuda->bounce, count * width);
    }
    return 0;
}
