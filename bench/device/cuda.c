/* The CUDA device. Everything runs on the legacy default stream: work that a kernel puts on a
 * blocking stream of its own then still falls between the events. */
#include "bench/device/cuda_parts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

#include <cublasLt.h>
#include <cublas_v2.h>
#include <cuda_runtime_api.h>

#include "bench/base/clock.h"
#include "bench/base/error.h"
#include "bench/device/card_rates.h"
#include "bench/device/fixed_memory.h"
#include "candidates/gemmgate.h"

/* The next sync tells it: an error that a kernel has left is met by whoever asks next. */
static cudaError_t left;

/* Want of memory is ours. */
static int note(cudaError_t status) {
    if (status == cudaErrorMemoryAllocation)
        cudaGetLastError();
    else if (status != cudaSuccess)
        left = status;
    return status == cudaSuccess ? 0 : -1;
}

int cuda_failed(const char *what, cudaError_t status) {
    note(status);
    return error("%s: %s (%s)", what, cudaGetErrorString(status), cudaGetErrorName(status));
}

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

static int attribute(enum cudaDeviceAttr which, int ordinal) {
    int value = 0;
    return cudaDeviceGetAttribute(&value, which, ordinal) == cudaSuccess ? value : 0;
}

static int cuda_describe(int ordinal, struct device_info *info) {
    struct cudaDeviceProp p;
    int mode = cudaComputeModeDefault;
    NEED(cudaGetDeviceProperties(&p, ordinal));
    NEED(cudaDeviceGetAttribute(&mode, cudaDevAttrComputeMode, ordinal));
    memset(info, 0, sizeof *info);
    snprintf(info->name, sizeof info->name, "%.127s", p.name);
    const unsigned char *u = (const unsigned char *)p.uuid.bytes;
    snprintf(info->uuid, sizeof info->uuid,
             "GPU-%02x%02x%02x%02x-%02x%02x-%02x%02x-%02x%02x-%02x%02x%02x%02x%02x%02x", u[0], u[1],
             u[2], u[3], u[4], u[5], u[6], u[7], u[8], u[9], u[10], u[11], u[12], u[13], u[14],
             u[15]);
    NEED(cudaDeviceGetPCIBusId(info->pci, (int)sizeof info->pci, ordinal));
    info->memory_bytes = (int64_t)p.totalGlobalMem;
    info->exclusive = mode != cudaComputeModeDefault;
    info->units = p.multiProcessorCount;
    info->sm = p.major * 10 + p.minor;
    info->l2_bytes = p.l2CacheSize;
    info->rates = card_rates(info, 1e3 * attribute(cudaDevAttrClockRate, ordinal),
                             1e3 * attribute(cudaDevAttrMemoryClockRate, ordinal),
                             attribute(cudaDevAttrGlobalMemoryBusWidth, ordinal));
    NEED(cudaDriverGetVersion(&info->driver));
    cuda_libraries(info);
    return 0;
}

static int cuda_open(int ordinal, void **state) {
    struct cuda *cuda = calloc(1, sizeof *cuda);
    if (!cuda)
        return error("no memory");
    *state = cuda;
    NEED(cudaSetDevice(ordinal));
    /* Waiting by spinning: what a wake-up costs must not reach the next call's start. */
    NEED(cudaSetDeviceFlags(cudaDeviceScheduleSpin));
    if (cuda_describe(ordinal, &cuda->info) < 0)
        return -1;
    NEED(cudaDeviceGetLimit(&cuda->persisting, cudaLimitPersistingL2CacheSize));
    NEED(cudaEventCreate(&cuda->start));
    NEED(cudaEventCreate(&cuda->stop));
    NEED(cudaHostAlloc((void **)&cuda->told, sizeof *cuda->told, cudaHostAllocMapped));
    memset((void *)cuda->told, 0, sizeof *cuda->told);
    NEED(cudaHostGetDevicePointer((void **)&cuda->told_there, (void *)cuda->told, 0));
    NEED(cudaMalloc((void **)&cuda->changed, sizeof *cuda->changed));
    NEED(cudaMalloc((void **)&cuda->seen, DEVICE_LOOKS * sizeof *cuda->seen));
    for (int kind = 0; kind < INPUT_TABLES; kind++)
        NEED(cudaMalloc((void **)&cuda->tables[kind], INPUT_TABLE_SIZE * sizeof(uint16_t)));
    cuda->sweep_bytes = 2 * (size_t)cuda->info.l2_bytes;
    NEED(cudaMalloc(&cuda->sweep, cuda->sweep_bytes));
    NEED(cudaMemset(cuda->sweep, 0, cuda->sweep_bytes));
    NEED(cudaMallocHost(&cuda->bounce, CUDA_BOUNCE_BYTES));
    return 0;
}

static void *cuda_stream(void *state) {
    (void)state;
    return NULL;
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
        status = last != cudaSuccess ? last : left;
    left = cudaSuccess;
    *why = cudaGetErrorString(status);
    return status == cudaSuccess ? 0 : -1;
}

static const char *cuda_forget(void *state) {
    (void)state;
    const cudaError_t last = cudaGetLastError();
    return last == cudaSuccess ? NULL : cudaGetErrorString(last);
}

static int cuda_start(void *state) {
    return note(cudaEventRecord(((struct cuda *)state)->start, NULL));
}

static int cuda_stop(void *state) {
    return note(cudaEventRecord(((struct cuda *)state)->stop, NULL));
}

static int cuda_elapsed(void *state, double *seconds) {
    const struct cuda *cuda = state;
    float milliseconds;
    if (cudaEventElapsedTime(&milliseconds, cuda->start, cuda->stop) != cudaSuccess)
        return -1;
    *seconds = (double)milliseconds * 1e-3;
    return 0;
}

/* Emptied before each look, and not behind it: code on the device could put counts there meanwhile
 * that take away what the look adds. */
static int cuda_look(void *state, const struct look *look, int number) {
    struct seen *seen = ((struct cuda *)state)->seen + number;
    NEED(cudaMemsetAsync(seen, 0, sizeof *seen, NULL));
    NEED((cudaError_t)device_cuda_look(look, seen));
    return 0;
}

static int cuda_looks(void *state, int count, struct seen *seen) {
    const struct cuda *cuda = state;
    NEED(cudaMemcpy(seen, cuda->seen, (size_t)count * sizeof *seen, cudaMemcpyDeviceToHost));
    return 0;
}

static int cuda_mask(void *state, uint16_t *at, int64_t elements, uint64_t key) {
    struct cuda *cuda = state;
    const unsigned number = cuda->masks++ % CUDA_MASKS;
    uint64_t *key_there = (uint64_t *)cuda->changed; /* where nobody else looks for it meanwhile */
    cuda->told->keys[number] = key;
    NEED(cudaMemcpyAsync(key_there, (void *)&cuda->told->keys[number], sizeof key,
                         cudaMemcpyHostToDevice, NULL));
    NEED((cudaError_t)device_cuda_mask(at, elements, key_there));
    NEED(cudaMemsetAsync(key_there, 0, sizeof key, NULL));
    NEED(cudaMemsetAsync(&cuda->told_there->keys[number], 0, sizeof key, NULL));
    return 0;
}

static int cuda_delay(void *state, double seconds) {
    (void)state;
    double bounded = seconds < DEVICE_DELAY_MOST ? seconds : DEVICE_DELAY_MOST;
    return note((cudaError_t)device_cuda_delay((int64_t)(bounded * 1e9)));
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
    cuda->held_from = clock_raw_seconds();
    return note((cudaError_t)device_cuda_hold(&cuda->told_there->let_go, cuda->ticket,
                                              (int64_t)(DEVICE_HOLD_SECONDS * 1e9)));
}

static void cuda_let_go(void *state) {
    struct cuda *cuda = state;
    cuda->told->let_go = cuda->ticket;
    cuda->held_to = clock_raw_seconds();
}

/* The device does not say, since code of a kernel's could say so, too. The hold begins when the host
 * asks for it, or later. */
static bool cuda_gave_up(void *state) {
    const struct cuda *cuda = state;
    return cuda->held_to - cuda->held_from > 0.95 * DEVICE_HOLD_SECONDS;
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

static int cuda_sweep(void *state) {
    const struct cuda *cuda = state;
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

const struct device_ops device_cuda = {
    .kind = "cuda",
    .device = GEMM_CUDA,
    .count = cuda_count,
    .describe = cuda_describe,
    .libraries = cuda_libraries,
    .open = cuda_open,
    .stream = cuda_stream,
    .fix = cuda_fix,
    .alloc = cuda_alloc,
    .clear = cuda_clear,
    .free = cuda_free,
    .room = cuda_room,
    .load_table = cuda_load_table,
    .fill = cuda_fill,
    .count_changed = cuda_count_changed,
    .copy_out = cuda_copy_out,
    .copy = cuda_copy,
    .multiply = cuda_multiply,
    .sync = cuda_sync,
    .forget = cuda_forget,
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
    .sweep = cuda_sweep,
    .touch = cuda_touch,
};
