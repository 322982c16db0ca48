/* The host device: this machine's processor and memory, one thread, a monotonic clock. */
#include "bench/device/device.h"

#include <math.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <stdint.h>

#include "bench/base/clock.h"
#include "bench/base/error.h"
#include "bench/base/files.h"
#include "bench/base/openblas.h"
#include "candidates/gemmgate.h"
#include "correctness/accumulator/probe_element.h"
#include "correctness/numbers/element_bits.h"
#include "correctness/numbers/number16.h"

#define TILE 64 /* of the transposition, in elements */

struct host {
    uint16_t tables[INPUT_TABLES][INPUT_TABLE_SIZE];
    struct timespec start, stop;
    struct seen seen[DEVICE_LOOKS];
    uint16_t *sweep; /* what a sweep of the cache reads; made by the first */
};

/* Where the system does not tell (sysconf says 0), more than most processors have. */
static size_t cache_bytes(void) {
    long bytes = sysconf(_SC_LEVEL3_CACHE_SIZE);
    return bytes > 0 ? (size_t)bytes : (size_t)64 << 20;
}

static int host_count(const char **why) {
    *why = "";
    return 1;
}

static void host_libraries(struct device_info *info) {
    info->runtime = -1;
    info->cublas = info->cublaslt = -1;
    const struct openblas *blas = openblas();
    snprintf(info->blas, sizeof info->blas, "%s", blas ? blas->openblas_get_config() : "");
}

static int host_describe(int ordinal, struct device_info *info) {
    (void)ordinal;
    memset(info, 0, sizeof *info);
    files_value("/proc/cpuinfo", "model name", ':', info->name, sizeof info->name);
    if (!*info->name)
        snprintf(info->name, sizeof info->name, "host");
    cpu_set_t allowed;
    info->units = sched_getaffinity(0, sizeof allowed, &allowed) == 0 ? CPU_COUNT(&allowed) : -1;
    info->memory_bytes = (int64_t)sysconf(_SC_PHYS_PAGES) * sysconf(_SC_PAGESIZE);
    info->sm = info->driver = -1;
    info->l2_bytes = (int64_t)cache_bytes();
    host_libraries(info);
    return openblas() ? 0 : -1;
}

static int host_open(int ordinal, void **state) {
    static struct host host;
    (void)ordinal;
    *state = &host;
    return 0;
}

static void *host_stream(void *state) {
    (void)state;
    return NULL;
}

static int host_alloc(void *state, uint64_t offset, bool seal, size_t *bytes, void **memory) {
    *memory = NULL;
    (void)state, (void)offset, (void)seal;
    int status = posix_memalign(memory, 256, *bytes);
    return status == 0 ? 0 : error("no %zu MiB of memory: %s", *bytes >> 20, strerror(status));
}

static void host_free(void *state, void *memory) {
    (void)state;
    free(memory);
}

static int host_load_table(void *state, int32_t kind, const uint16_t *table) {
    memcpy(((struct host *)state)->tables[kind], table, sizeof((struct host *)state)->tables[kind]);
    return 0;
}

/* Stored elements of one tile: the logical rows of which there are `down` from `row`, and as many
 * columns `across` from `column` (a multiple of 8), zeros beyond the matrix. */
static void generate(const struct host *host, const struct fill *fill, int64_t row, int64_t down,
                     int64_t column, int64_t across, uint16_t tile[TILE][TILE]) {
    for (int64_t i = 0; i < down; i++) {
        int64_t inside = row + i < fill->rows ? fill->cols - column : 0;
        inside = inside < 0 ? 0 : inside > across ? across : inside;
        for (int64_t e = 0; fill->table == INPUT_PROBE && e < inside; e++)
            tile[i][e] = probe_element(fill->element, fill->seed, (uint32_t)fill->matrix, row + i,
                                       column + e, fill->shape);
        if (inside > 0 && fill->table != INPUT_PROBE)
            input_fill_span(host->tables[fill->table], fill->seed, (enum input_matrix)fill->matrix,
                            row + i, column, inside, tile[i]);
        memset(tile[i] + inside, 0, (size_t)(across - inside) * sizeof **tile);
    }
}

/* Calls visit for every stored row piece of the fill with the values it is to hold. */
static void each_piece(const struct host *host, const struct fill *fill,
                       void (*visit)(uint16_t *at, const uint16_t *want, int64_t count, void *),
                       void *context) {
    uint16_t tile[TILE][TILE], turned[TILE];
    int64_t rows = fill->transposed ? fill->ld : fill->rows_stored;
    int64_t cols = fill->transposed ? fill->rows_stored : fill->ld;
    for (int64_t row = 0; row < rows; row += TILE)
        for (int64_t column = 0; column < cols; column += TILE) {
            int64_t down = rows - row < TILE ? rows - row : TILE;
            int64_t across = cols - column < TILE ? cols - column : TILE;
            generate(host, fill, row, down, column, across, tile);
            for (int64_t i = 0; i < down && !fill->transposed; i++)
                visit(fill->at + (row + i) * fill->ld + column, tile[i], across, context);
            for (int64_t j = 0; j < across && fill->transposed; j++) {
                for (int64_t i = 0; i < down; i++)
                    turned[i] = tile[i][j];
                visit(fill->at + (column + j) * fill->ld + row, turned, down, context);
            }
        }
}

static void store_piece(uint16_t *at, const uint16_t *want, int64_t count, void *context) {
    (void)context;
    memcpy(at, want, (size_t)count * sizeof *at);
}

static void compare_piece(uint16_t *at, const uint16_t *want, int64_t count, void *context) {
    uint64_t *changed = context;
    for (int64_t i = 0; i < count; i++)
        *changed += at[i] != want[i];
}

static int host_fill(void *state, const struct fill *fills, int count) {
    for (int f = 0; f < count; f++) {
        const struct fill *fill = &fills[f];
        const int64_t elements = fill->rows_stored * fill->ld;
        const uint16_t constant = fill->constant; /* apart from what is written */
        uint16_t *at = fill->at;
        if (fill->matrix)
            each_piece(state, fill, store_piece, NULL);
        for (int64_t i = 0; i < elements && !fill->matrix; i++)
            at[i] = constant;
    }
    return 0;
}

static int host_count_changed(void *state, const struct fill *fills, int count, uint64_t *changed) {
    *changed = 0;
    for (int f = 0; f < count; f++) {
        const struct fill *fill = &fills[f];
        int64_t elements = fill->rows_stored * fill->ld;
        if (fill->matrix)
            each_piece(state, fill, compare_piece, changed);
        for (int64_t i = 0; i < elements && !fill->matrix; i++)
            *changed += fill->at[i] != fill->constant;
    }
    return 0;
}

static int host_copy_out(void *state, const uint16_t *from, int64_t rows, int64_t cols, int64_t ld,
                         uint16_t *to) {
    (void)state;
    for (int64_t row = 0; row < rows; row++)
        memcpy(to + row * cols, from + row * ld, (size_t)cols * sizeof *to);
    return 0;
}

static int host_copy(void *state, const uint16_t *from, int64_t from_ld, uint16_t *to,
                     int64_t to_ld, int64_t rows, int64_t cols) {
    (void)state;
    for (int64_t row = 0; row < rows; row++)
        memcpy(to + row * to_ld, from + row * from_ld, (size_t)cols * sizeof *to);
    return 0;
}

static int host_sync(void *state, const char **why) {
    (void)state;
    *why = "";
    return 0;
}

static int host_start(void *state) {
    return clock_gettime(CLOCK_MONOTONIC_RAW, &((struct host *)state)->start);
}

static int host_stop(void *state) {
    return clock_gettime(CLOCK_MONOTONIC_RAW, &((struct host *)state)->stop);
}

static int host_elapsed(void *state, double *seconds) {
    const struct host *host = state;
    *seconds = (double)(host->stop.tv_sec - host->start.tv_sec) +
               1e-9 * (double)(host->stop.tv_nsec - host->start.tv_nsec);
    return 0;
}

static uint64_t mixed(uint64_t x) {
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9;
    x = (x ^ x >> 27) * 0x94d049bb133111eb;
    return x ^ x >> 31;
}

/* Calls are synchronous, so that looking now is looking later. */
static int host_look(void *state, const struct look *look, int number) {
    struct seen *seen = &((struct host *)state)->seen[number];
    const enum element element = look->element;
    const float coarse = 2 * element_coarse(element);
    *seen = (struct seen){0};
    for (int64_t row = 0; row < look->rows; row++)
        for (int64_t column = 0; column < look->cols; column++) {
            const uint16_t bits = look->c[row * look->ld + column];
            const uint64_t at = (uint64_t)(row * look->cols + column);
            seen->seal += mixed(look->secret ^ mixed(bits + at * 0x9e3779b97f4a7c15));
            const bool nan = element_is_nan(element, bits);
            seen->nan += nan;
            if (!look->other)
                continue;
            const uint16_t other = look->other[row * look->other_ld + column];
            const float value = number16_to_float(element, other);
            const double distance = fabs((double)number16_to_float(element, bits) - (double)value);
            if (distance > seen->deviation) /* not where NaN */
                seen->deviation = distance;
            seen->coarse += distance > (double)(coarse * number16_ulp(element, value));
            seen->off += !nan && !(distance <= look->tolerance) && bits != other;
        }
    return 0;
}

static int host_looks(void *state, int count, struct seen *seen) {
    memcpy(seen, ((struct host *)state)->seen, (size_t)count * sizeof *seen);
    return 0;
}

static int host_mask(void *state, uint16_t *at, int64_t elements, uint64_t key) {
    (void)state;
    for (int64_t group = 0; group * PHILOX_GROUP < elements; group++) {
        uint16_t word[PHILOX_GROUP], *of = at + group * PHILOX_GROUP;
        philox_words(key, 0, (uint32_t)(group >> 32), (uint32_t)group, word);
        for (int i = 0; i < PHILOX_GROUP && group * PHILOX_GROUP + i < elements; i++)
            of[i] ^= word[i];
    }
    return 0;
}

static int host_delay(void *state, double seconds) {
    const double start = clock_raw_seconds();
    (void)state;
    while (clock_raw_seconds() - start < fmin(seconds, DEVICE_DELAY_MOST))
        ;
    return 0;
}

static int host_reset_persistence(void *state) {
    (void)state; /* processors have no such thing */
    return 0;
}

/* An element of each line. */
static int host_touch(void *state, const uint16_t *at, int64_t elements) {
    const int64_t line = 64 / sizeof *at;
    (void)state;
    for (int64_t i = 0; i < elements; i += line)
        *(const volatile uint16_t *)(at + i);
    return 0;
}

static int host_sweep(void *state) {
    struct host *host = state;
    const size_t bytes = 2 * cache_bytes();
    if (!host->sweep) {
        host->sweep = malloc(bytes);
        if (!host->sweep)
            return error("no memory for %zu MiB to sweep the cache with", bytes >> 20);
        memset(host->sweep, 1, bytes); /* pages of their own: untouched ones share one of zeros */
    }
    return host_touch(state, host->sweep, (int64_t)(bytes / sizeof *host->sweep));
}

const struct device_ops device_host = {
    .kind = "host",
    .device = GEMM_HOST,
    .count = host_count,
    .describe = host_describe,
    .libraries = host_libraries,
    .open = host_open,
    .stream = host_stream,
    .alloc = host_alloc,
    .free = host_free,
    .load_table = host_load_table,
    .fill = host_fill,
    .count_changed = host_count_changed,
    .copy_out = host_copy_out,
    .copy = host_copy,
    .sync = host_sync,
    .start = host_start,
    .stop = host_stop,
    .elapsed = host_elapsed,
    .look = host_look,
    .looks = host_looks,
    .mask = host_mask,
    .delay = host_delay,
    .reset_persistence = host_reset_persistence,
    .sweep = host_sweep,
    .touch = host_touch,
};
