/* The CUDA device. Everything runs on the legacy default stream: work that a kernel puts on a
 * blocking stream of its own then still falls between the events. */
#include "bench/device/device.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

#include <cublasLt.h>
#include <cublas_v2.h>
#include <cuda_runtime_api.h>

#include "bench/base/crash.h"
#include "bench/base/error.h"
#include "bench/device/cuda_kernels.h"
#include "bench/device/fixed_memory.h"
#include "candidates/gemmgate.h"
#include "correctness/numbers/input.h"

#define BOUNCE_BYTES ((size_t)16 << 20)
_Static_assert(SHAPE_MAX_SIZE * sizeof(float) <= BOUNCE_BYTES, "a row fits");

struct cuda {
    cudaEvent_t start, stop;
    uint16_t *tables[INPUT_TABLES];
    unsigned long long *changed;
    struct device_cuda_seen *seen; /* DEVICE_LOOKS of them, zero where not used since `looks` */
    struct device_info info;
    size_t persisting;                 /* the limit of persisting L2 as it was found */
    void *shared;                      /* by cuda_share; */
    size_t shared_bytes, locked_bytes; /* how long it is, and how much of it is locked */
    int copies;                        /* large ones into it, before it was */
    void *bounce; /* locked host memory of BOUNCE_BYTES; made by the first copy out */
    void *sweep;  /* what a sweep of the L2 reads; made by the first */
    size_t sweep_bytes;
    volatile struct hold *hold; /* host memory that the device reads and writes */
    struct hold *hold_there;    /* the same, as the device addresses it */
    uint32_t ticket;            /* of the last hold */
    bool fixed, sealed;         /* memory is served at fixed addresses; some of it is sealed */
};

/* Each on a cache line of its own: one is written by the host, the other by the device. */
struct hold {
    uint32_t let_go;
    char apart[124];
    uint32_t gave_up;
};

static int failed(const char *what, cudaError_t status) {
    return error("%s: %s (%s)", what, cudaGetErrorString(status), cudaGetErrorName(status));
}

/* Returns from the function when the call fails. */
#define NEED(call)                                                                                 \
    do {                                                                                           \
        cudaError_t status_ = (call);                                                              \
        if (status_ != cudaSuccess)                                                                \
            return failed(#call, status_);                                                         \
    } while (0)

static int cuda_count(const char **why) {
    int count = 0;
    cudaError_t status = cudaGetDeviceCount(&count);
    *why = status == cudaSuccess ? "the driver shows no GPU" : cudaGetErrorString(status);
    return status == cudaSuccess ? count : 0;
}

/* 13.1.0 as 130100, the way cublasLtGetVersion writes it. */
static int64_t cublas_version(void) {
    int part[3] = {0, 0, 0};
    const libraryPropertyType which[3] = {MAJOR_VERSION, MINOR_VERSION, PATCH_LEVEL};
    for (int i = 0; i < 3; i++)
        if (cublasGetProperty(which[i], &part[i]) != CUBLAS_STATUS_SUCCESS)
            return -1;
    return part[0] * 10000 + part[1] * 100 + part[2];
}

static void cuda_libraries(struct device_info *info) {
    if (cudaRuntimeGetVersion(&info->runtime) != cudaSuccess)
        info->runtime = -1;
    info->cublas = cublas_version();
    info->cublaslt = (int64_t)cublasLtGetVersion();
}

static int cuda_describe(int ordinal, struct device_info *info) {
    struct cudaDeviceProp p;
    crash_step("asking the driver what the device is");
    NEED(cudaGetDeviceProperties(&p, ordinal));
    memset(info, 0, sizeof *info);
    snprintf(info->name, sizeof info->name, "%.127s", p.name);
    const unsigned char *u = (const unsigned char *)p.uuid.bytes;
    snprintf(info->uuid, sizeof info->uuid,
             "GPU-%02x%02x%02x%02x-%02x%02x-%02x%02x-%02x%02x-%02x%02x%02x%02x%02x%02x", u[0], u[1],
             u[2], u[3], u[4], u[5], u[6], u[7], u[8], u[9], u[10], u[11], u[12], u[13], u[14],
             u[15]);
    NEED(cudaDeviceGetPCIBusId(info->pci, (int)sizeof info->pci, ordinal));
    info->memory_bytes = (int64_t)p.totalGlobalMem;
    info->units = p.multiProcessorCount;
    info->sm = p.major * 10 + p.minor;
    info->l2_bytes = p.l2CacheSize;
    NEED(cudaDriverGetVersion(&info->driver));
    cuda_libraries(info);
    return 0;
}

static int cuda_open(int ordinal, void **state) {
    struct cuda *cuda = calloc(1, sizeof *cuda);
    if (!cuda)
        return error("no memory");
    *state = cuda;
    crash_step("making a context");
    NEED(cudaSetDevice(ordinal));
    /* Waiting by spinning: what a wake-up costs must not reach the next call's start. */
    NEED(cudaSetDeviceFlags(cudaDeviceScheduleSpin));
    if (cuda_describe(ordinal, &cuda->info) < 0)
        return -1;
    crash_step("making a context's events and buffers");
    NEED(cudaDeviceGetLimit(&cuda->persisting, cudaLimitPersistingL2CacheSize));
    NEED(cudaEventCreate(&cuda->start));
    NEED(cudaEventCreate(&cuda->stop));
    NEED(cudaHostAlloc((void **)&cuda->hold, sizeof *cuda->hold, cudaHostAllocMapped));
    memset((void *)cuda->hold, 0, sizeof *cuda->hold);
    NEED(cudaHostGetDevicePointer((void **)&cuda->hold_there, (void *)cuda->hold, 0));
    NEED(cudaMalloc((void **)&cuda->changed, sizeof *cuda->changed));
    NEED(cudaMalloc((void **)&cuda->seen, DEVICE_LOOKS * sizeof *cuda->seen));
    NEED(cudaMemset(cuda->seen, 0, DEVICE_LOOKS * sizeof *cuda->seen));
    for (int kind = 0; kind < INPUT_TABLES; kind++)
        NEED(cudaMalloc((void **)&cuda->tables[kind], INPUT_TABLE_SIZE * sizeof(uint16_t)));
    return 0;
}

static void cuda_release(void *state, void *memory) {
    const char *why;
    (void)state;
    if (fixed_memory_has((uint64_t)(uintptr_t)memory)) {
        if (fixed_memory_release(memory, &why) < 0)
            warning("memory at a fixed address: %s", why);
    } else if (memory && cudaFree(memory) != cudaSuccess)
        warning("cudaFree: %s", cudaGetErrorString(cudaGetLastError()));
}

static void cuda_share(void *state, void *memory, size_t bytes) {
    struct cuda *cuda = state;
    if (cuda->locked_bytes > 0 && cudaHostUnregister(cuda->shared) != cudaSuccess)
        warning("cudaHostUnregister: %s", cudaGetErrorString(cudaGetLastError()));
    cuda->shared = memory;
    cuda->shared_bytes = bytes;
    cuda->locked_bytes = 0;
    cuda->copies = 0;
}

static void cuda_close(void *state) {
    struct cuda *cuda = state;
    if (!cuda)
        return;
    for (int kind = 0; kind < INPUT_TABLES && !cuda->sealed; kind++)
        cuda_release(state, cuda->tables[kind]);
    cuda_release(state, cuda->sealed ? NULL : cuda->changed);
    cuda_release(state, cuda->sealed ? NULL : cuda->seen);
    cuda_release(state, cuda->sweep);
    cuda_share(state, NULL, 0);
    if ((cuda->bounce && cudaFreeHost(cuda->bounce) != cudaSuccess) ||
        (cuda->hold && cudaFreeHost((void *)cuda->hold) != cudaSuccess))
        warning("cudaFreeHost: %s", cudaGetErrorString(cudaGetLastError()));
    if (cudaEventDestroy(cuda->start) != cudaSuccess || cudaEventDestroy(cuda->stop) != cudaSuccess)
        warning("cudaEventDestroy: %s", cudaGetErrorString(cudaGetLastError()));
    free(cuda);
}

static void *cuda_stream(void *state) {
    (void)state;
    return NULL;
}

static int cuda_fix(void *state, bool sealing) {
    struct cuda *cuda = state;
    const char *why;
    crash_step("reserving memory at fixed addresses");
    if (fixed_memory_open(sealing, &why) < 0)
        return error("memory at fixed addresses: %s", why);
    cuda->fixed = true;
    cuda->sealed = sealing;
    return 0;
}

static int cuda_pin(void *state) {
    return ((struct cuda *)state)->fixed ? 0 : cuda_fix(state, false);
}

static int cuda_vacate(void *state, void *memory) {
    const char *why;
    (void)state;
    return fixed_memory_vacate(memory, &why) < 0 ? error("pages cannot be given back: %s", why) : 0;
}

static int cuda_occupy(void *state, void *memory) {
    const char *why;
    (void)state;
    return fixed_memory_occupy(memory, &why) < 0 ? error("memory at its address again: %s", why)
                                                 : 0;
}

static int alloc_fixed(uint64_t place, size_t bytes, bool seal, void **memory) {
    const char *why;
    if (fixed_memory_take(place, bytes, seal, memory, &why) == 0)
        return 0;
    *memory = NULL;
    return error("%zu MiB at a fixed address: %s", bytes >> 20, why);
}

static int cuda_alloc(void *state, size_t bytes, void **memory) {
    if (((struct cuda *)state)->fixed)
        return alloc_fixed(FIXED_ANYWHERE, bytes, false, memory);
    cudaError_t status = cudaMalloc(memory, bytes);
    if (status == cudaSuccess)
        return 0;
    size_t available = 0, total = 0;
    *memory = NULL;
    cudaGetLastError(); /* said below; not to be found again by the next sync */
    if (cudaMemGetInfo(&available, &total) != cudaSuccess)
        return failed("cudaMalloc", status);
    return error("cudaMalloc of %zu MiB: %s; %zu of %zu MiB are free", bytes >> 20,
                 cudaGetErrorString(status), available >> 20, total >> 20);
}

static int cuda_alloc_at(void *state, uint64_t place, size_t bytes, bool seal, void **memory) {
    return ((struct cuda *)state)->fixed ? alloc_fixed(place, bytes, seal, memory)
                                         : cuda_alloc(state, bytes, memory);
}

static uint64_t cuda_room(void *state) {
    size_t available = 0, total = 0;
    (void)state;
    return cudaMemGetInfo(&available, &total) == cudaSuccess ? available : 0;
}

/* Of what is sealed, and only written and read by kernels of ours: where that can be done. */
static int seal_one(void **memory, size_t bytes) {
    if (alloc_fixed(FIXED_ANYWHERE, bytes, true, memory) < 0)
        return -1;
    *memory = fixed_memory_writable(*memory);
    NEED(cudaMemset(*memory, 0, bytes));
    return 0;
}

/* Where memory is sealed, what this device keeps for itself moves there. */
static int cuda_clear(void *state, uint64_t from) {
    struct cuda *cuda = state;
    const char *why;
    if (cuda->fixed && fixed_memory_clear(from, &why) < 0)
        return error("memory at fixed addresses: %s", why);
    if (!cuda->sealed)
        return 0;
    for (int kind = 0; kind < INPUT_TABLES; kind++)
        if (seal_one((void **)&cuda->tables[kind], INPUT_TABLE_SIZE * sizeof(uint16_t)) < 0)
            return -1;
    return seal_one((void **)&cuda->changed, sizeof *cuda->changed) < 0 ||
                   seal_one((void **)&cuda->seen, DEVICE_LOOKS * sizeof *cuda->seen) < 0
               ? -1
               : 0;
}

static int cuda_load_table(void *state, int32_t kind, const uint16_t *table) {
    struct cuda *cuda = state;
    NEED(cudaMemcpy(cuda->tables[kind], table, INPUT_TABLE_SIZE * sizeof *table,
                    cudaMemcpyHostToDevice));
    return 0;
}

static int cuda_fill(void *state, const struct fill *fills, int count) {
    struct cuda *cuda = state;
    struct fill where[FILL_BATCH];
    for (int i = 0; i < count; i += FILL_BATCH) {
        int batch = count - i < FILL_BATCH ? count - i : FILL_BATCH;
        for (int j = 0; j < batch; j++) {
            where[j] = fills[i + j];
            where[j].at = fixed_memory_writable(where[j].at);
        }
        NEED((cudaError_t)device_cuda_fill(where, batch, (const uint16_t *const *)cuda->tables));
    }
    return 0;
}

static struct refill writable_refill(const struct refill *refill) {
    struct refill where = {.places = 0};
    if (refill)
        where = *refill;
    for (int i = 0; i < 3; i++)
        where.fills[i].at = fixed_memory_writable(where.fills[i].at);
    return where;
}

static int cuda_refill(void *state, const struct refill *first, const struct refill *second) {
    struct cuda *cuda = state;
    const struct refill one = writable_refill(first), two = writable_refill(second);
    NEED((cudaError_t)device_cuda_refill(first ? &one : NULL, second ? &two : NULL,
                                         (const uint16_t *const *)cuda->tables));
    return 0;
}

static int cuda_count_changed(void *state, const struct fill *fills, int count, uint64_t *changed) {
    struct cuda *cuda = state;
    unsigned long long all = 0;
    NEED(cudaMemsetAsync(cuda->changed, 0, sizeof *cuda->changed, NULL));
    for (int i = 0; i < count; i++)
        NEED((cudaError_t)device_cuda_count(&fills[i], (const uint16_t *const *)cuda->tables,
                                            cuda->changed));
    NEED(cudaMemcpy(&all, cuda->changed, sizeof all, cudaMemcpyDeviceToHost));
    *changed = all;
    return 0;
}

/* Rows of memory that the driver has locked; dense ones are one. */
static cudaError_t copy_rows(void *to, const uint16_t *from, size_t width, size_t pitch,
                             size_t rows) {
    return width == pitch
               ? cudaMemcpy(to, from, width * rows, cudaMemcpyDeviceToHost)
               : cudaMemcpy2D(to, width, from, pitch, width, rows, cudaMemcpyDeviceToHost);
}

/* Whether the GPU can write there by itself. Locking takes as long as a copy: it is tried where the
 * second large matrix goes to the beginning of shared memory. */
static bool is_locked(struct cuda *cuda, const void *to, size_t bytes) {
    if (cuda->sealed || to != cuda->shared || bytes <= BOUNCE_BYTES || bytes > cuda->shared_bytes)
        return false;
    if (bytes <= cuda->locked_bytes)
        return true;
    if (++cuda->copies != 2)
        return false;
    if (cudaHostRegister(cuda->shared, bytes, cudaHostRegisterDefault) != cudaSuccess) {
        cudaGetLastError(); /* it is no fault; not to be found again by the next sync */
        return false;
    }
    cuda->locked_bytes = bytes;
    return true;
}

/* By way of locked memory, which the GPU writes by itself: many times as fast as straight into
 * pages that the driver has to lock or to copy. */
static int cuda_copy_out(void *state, const uint16_t *from, int64_t rows, int64_t cols, int64_t ld,
                         uint16_t *to) {
    struct cuda *cuda = state;
    const size_t width = (size_t)cols * sizeof *to, pitch = (size_t)ld * sizeof *from;
    const int64_t most = (int64_t)(BOUNCE_BYTES / width);
    if (is_locked(cuda, to, width * (size_t)rows)) {
        NEED(copy_rows(to, from, width, pitch, (size_t)rows));
        return 0;
    }
    if (!cuda->bounce)
        NEED(cudaMallocHost(&cuda->bounce, BOUNCE_BYTES));
    for (int64_t row = 0; row < rows; row += most) {
        const size_t count = (size_t)(rows - row < most ? rows - row : most);
        NEED(copy_rows(cuda->bounce, from + row * ld, width, pitch, count));
        memcpy(to + row * cols, cuda->bounce, count * width);
    }
    return 0;
}

static int cuda_copy(void *state, const uint16_t *from, int64_t from_ld, uint16_t *to,
                     int64_t to_ld, int64_t rows, int64_t cols) {
    (void)state;
    NEED(cudaMemcpy2DAsync(to, (size_t)to_ld * sizeof *to, from, (size_t)from_ld * sizeof *from,
                           (size_t)cols * sizeof *to, (size_t)rows, cudaMemcpyDeviceToDevice,
                           NULL));
    return 0;
}

static int cuda_multiply(void *state, enum element element, struct shape shape, const uint16_t *a,
                         const uint16_t *b, float *c) {
    (void)state;
    NEED((cudaError_t)device_cuda_product(element, shape, a, b, c));
    return 0;
}

static int cuda_sync(void *state, const char **why) {
    (void)state;
    cudaError_t status = cudaDeviceSynchronize();
    cudaError_t last = cudaGetLastError();
    if (status == cudaSuccess)
        status = last;
    *why = cudaGetErrorString(status);
    return status == cudaSuccess ? 0 : -1;
}

static int cuda_start(void *state) {
    return cudaEventRecord(((struct cuda *)state)->start, NULL) == cudaSuccess ? 0 : -1;
}

static int cuda_stop(void *state) {
    return cudaEventRecord(((struct cuda *)state)->stop, NULL) == cudaSuccess ? 0 : -1;
}

static int cuda_elapsed(void *state, double *seconds) {
    const struct cuda *cuda = state;
    float milliseconds;
    if (cudaEventElapsedTime(&milliseconds, cuda->start, cuda->stop) != cudaSuccess)
        return -1;
    *seconds = (double)milliseconds * 1e-3;
    return 0;
}

static int cuda_look(void *state, const struct look *look, int number) {
    NEED((cudaError_t)device_cuda_look(look, ((struct cuda *)state)->seen + number));
    return 0;
}

static int cuda_looks(void *state, int count, struct seen *seen) {
    const struct cuda *cuda = state;
    struct device_cuda_seen raw[DEVICE_LOOKS];
    const size_t bytes = (size_t)count * sizeof *raw;
    NEED(cudaMemcpy(raw, cuda->seen, bytes, cudaMemcpyDeviceToHost));
    NEED(cudaMemsetAsync(cuda->seen, 0, bytes, NULL));
    for (int i = 0; i < count; i++) {
        float deviation;
        memcpy(&deviation, &raw[i].deviation, sizeof deviation);
        seen[i] =
            (struct seen){raw[i].seal, raw[i].nan, raw[i].off, raw[i].coarse, (double)deviation};
    }
    return 0;
}

static int cuda_mask(void *state, uint16_t *at, int64_t elements, uint64_t key) {
    (void)state;
    NEED((cudaError_t)device_cuda_mask(at, elements, key));
    return 0;
}

static int cuda_delay(void *state, double seconds) {
    (void)state;
    double bounded = seconds < DEVICE_DELAY_MOST ? seconds : DEVICE_DELAY_MOST;
    return device_cuda_delay((int64_t)(bounded * 1e9)) == cudaSuccess ? 0 : -1;
}

/* Never twice the same in a row, and nothing that a kernel could set the word to beforehand. */
static uint32_t next_ticket(uint32_t last) {
    uint32_t ticket = last;
    while (ticket == last || ticket == 0)
        if (getrandom(&ticket, sizeof ticket, 0) != sizeof ticket)
            return last + 1;
    return ticket;
}

static int cuda_hold(void *state) {
    struct cuda *cuda = state;
    cuda->ticket = next_ticket(cuda->ticket);
    return device_cuda_hold(&cuda->hold_there->let_go, &cuda->hold_there->gave_up, cuda->ticket,
                            (int64_t)(DEVICE_HOLD_SECONDS * 1e9)) == cudaSuccess
               ? 0
               : -1;
}

static void cuda_let_go(void *state) {
    struct cuda *cuda = state;
    cuda->hold->let_go = cuda->ticket;
}

static bool cuda_gave_up(void *state) {
    const struct cuda *cuda = state;
    return cuda->hold->gave_up == cuda->ticket;
}

static int cuda_reset_persistence(void *state) {
    const struct cuda *cuda = state;
    size_t limit;
    NEED(cudaDeviceGetLimit(&limit, cudaLimitPersistingL2CacheSize));
    if (limit != cuda->persisting)
        NEED(cudaDeviceSetLimit(cudaLimitPersistingL2CacheSize, cuda->persisting));
    NEED(cudaCtxResetPersistingL2Cache());
    return 0;
}

static int cuda_persist(void *state, uint64_t bytes) {
    (void)state;
    NEED(cudaDeviceSetLimit(cudaLimitPersistingL2CacheSize, bytes));
    return 0;
}

static int cuda_sweep(void *state) {
    struct cuda *cuda = state;
    if (!cuda->sweep) {
        cuda->sweep_bytes = 2 * (size_t)cuda->info.l2_bytes;
        NEED(cudaMalloc(&cuda->sweep, cuda->sweep_bytes));
        NEED(cudaMemsetAsync(cuda->sweep, 0, cuda->sweep_bytes, NULL));
    }
    NEED((cudaError_t)device_cuda_read(cuda->sweep, (int64_t)cuda->sweep_bytes, 1, cuda->changed));
    return 0;
}

/* Operands begin behind a guard of whole pages; a last group that is not whole is left out. A cache
 * may have parts that each keep a copy for the multiprocessors near it: read by three of these, the
 * lines are in all parts, and calls scatter by half as much (H200, 1024x1024x1024: 6 % between the
 * tenth and the ninetieth percentile, and not 14 %). What the rest would displace again is not
 * read. */
static int cuda_touch(void *state, const uint16_t *at, int64_t elements) {
    const struct cuda *cuda = state;
    const int64_t most = (int64_t)(2 * cuda->info.l2_bytes / (int64_t)sizeof *at);
    const int64_t skipped = elements > most ? (elements - most) / 8 * 8 : 0;
    NEED((cudaError_t)device_cuda_read(at + skipped, (elements - skipped) * (int64_t)sizeof *at, 3,
                                       cuda->changed));
    return 0;
}

/* A card whose tensor cores this build has no instructions for has no f16 rate. */
static int cuda_peak(void *state, struct light_rates *rates) {
    const struct cuda *cuda = state;
    cudaError_t status =
        (cudaError_t)device_cuda_peak(cuda->info.sm, cuda->info.units, cuda->info.l2_bytes, rates);
    return status == cudaSuccess || status == cudaErrorNotSupported
               ? 0
               : failed("measuring the device's best rates", status);
}

const struct device_ops device_cuda = {
    .kind = "cuda",
    .device = GEMM_CUDA,
    .count = cuda_count,
    .describe = cuda_describe,
    .libraries = cuda_libraries,
    .open = cuda_open,
    .close = cuda_close,
    .stream = cuda_stream,
    .share = cuda_share,
    .fix = cuda_fix,
    .pin = cuda_pin,
    .vacate = cuda_vacate,
    .occupy = cuda_occupy,
    .alloc = cuda_alloc,
    .alloc_at = cuda_alloc_at,
    .clear = cuda_clear,
    .release = cuda_release,
    .room = cuda_room,
    .load_table = cuda_load_table,
    .fill = cuda_fill,
    .refill = cuda_refill,
    .count_changed = cuda_count_changed,
    .copy_out = cuda_copy_out,
    .copy = cuda_copy,
    .multiply = cuda_multiply,
    .sync = cuda_sync,
    .start = cuda_start,
    .stop = cuda_stop,
    .elapsed = cuda_elapsed,
    .look = cuda_look,
    .looks = cuda_looks,
    .mask = cuda_mask,
    .delay = cuda_delay,
    .hold = cuda_hold,
    .let_go = cuda_let_go,
    .gave_up = cuda_gave_up,
    .reset_persistence = cuda_reset_persistence,
    .persist = cuda_persist,
    .sweep = cuda_sweep,
    .touch = cuda_touch,
    .peak = cuda_peak,
};
