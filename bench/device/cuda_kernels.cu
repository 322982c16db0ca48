#include "bench/device/cuda_kernels.h"

#include "correctness/accumulator/probe_element.h"
#include "correctness/numbers/element_bits.h"

#include <cuda_bf16.h>
#include <cuda_fp16.h>

namespace {

constexpr int THREADS = 256;
constexpr int TILE = 64; /* of the transposing fill, in elements */
static_assert(PHILOX_GROUP == 8, "a group is one 16-byte store");

/* The table travels with the fill, so that a kernel sees one structure. */
struct job {
    struct fill fill;
    const uint16_t *table;
};

struct batch {
    job jobs[FILL_BATCH];
};
static_assert(sizeof(batch) <= 4096, "kernel parameters are limited to 4 KiB");

/* Eight elements at p, of which the first `count` exist. */
__device__ void store8(uint16_t *p, const uint16_t value[8], int64_t count) {
    if (count >= 8 && (reinterpret_cast<uintptr_t>(p) & 15) == 0) {
        uint4 packed;
        packed.x = value[0] | static_cast<uint32_t>(value[1]) << 16;
        packed.y = value[2] | static_cast<uint32_t>(value[3]) << 16;
        packed.z = value[4] | static_cast<uint32_t>(value[5]) << 16;
        packed.w = value[6] | static_cast<uint32_t>(value[7]) << 16;
        *reinterpret_cast<uint4 *>(p) = packed;
        return;
    }
    for (int e = 0; e < 8 && e < count; e++)
        p[e] = value[e];
}

/* Logical elements (row, 8 * group ...) inside the matrix, zero outside: from the table, or of the
 * probe, whose code would slow the table's down where they were one kernel. */
template <bool PROBE>
__device__ void generate8(const job &j, int64_t row, int64_t group, uint16_t value[8]) {
    const struct fill &f = j.fill;
    if (row >= f.rows || group * 8 >= f.cols) {
        for (int e = 0; e < 8; e++)
            value[e] = 0;
        return;
    }
    if (PROBE) {
        for (int e = 0; e < 8; e++)
            value[e] = group * 8 + e < f.cols
                           ? probe_element(f.element, f.seed, static_cast<uint32_t>(f.matrix), row,
                                           group * 8 + e, f.shape)
                           : uint16_t(0);
        return;
    }
    uint16_t word[8];
    philox_words(f.seed, static_cast<uint32_t>(f.matrix), static_cast<uint32_t>(row),
                 static_cast<uint32_t>(group), word);
    for (int e = 0; e < 8; e++)
        value[e] = group * 8 + e < f.cols ? __ldg(j.table + word[e]) : uint16_t(0);
}

__device__ void fill_constant(const job &j) {
    const struct fill &f = j.fill;
    const int64_t total = f.rows_stored * f.ld;
    /* Up to the first 16-byte boundary by single elements, then eight at a time. */
    const int64_t head = min(total, (16 - (reinterpret_cast<uintptr_t>(f.at) & 15)) % 16 / 2);
    const int64_t step = static_cast<int64_t>(gridDim.x) * THREADS;
    const int64_t first = static_cast<int64_t>(blockIdx.x) * THREADS + threadIdx.x;
    uint16_t value[8];
    for (int e = 0; e < 8; e++)
        value[e] = f.constant;
    if (first < head)
        f.at[first] = f.constant;
    for (int64_t i = first; head + i * 8 < total; i += step)
        store8(f.at + head + i * 8, value, total - head - i * 8);
}

template <bool PROBE> __device__ void fill_rows(const job &j) {
    const struct fill &f = j.fill;
    const int64_t groups = (f.ld + 7) / 8, total = f.rows_stored * groups;
    for (int64_t i = static_cast<int64_t>(blockIdx.x) * THREADS + threadIdx.x; i < total;
         i += static_cast<int64_t>(gridDim.x) * THREADS) {
        const int64_t row = i / groups, group = i % groups;
        uint16_t value[8];
        generate8<PROBE>(j, row, group, value);
        store8(f.at + row * f.ld + group * 8, value, f.ld - group * 8);
    }
}

/* A block makes TILE x TILE logical elements row by row and stores them column by column. */
template <bool PROBE> __device__ void fill_transposed(const job &j) {
    __shared__ uint16_t tile[TILE][TILE + 2]; /* [column][row], padded against bank conflicts */
    const struct fill &f = j.fill;
    const int64_t across = (f.ld + TILE - 1) / TILE;
    const int64_t tiles = across * ((f.rows_stored + TILE - 1) / TILE);
    for (int64_t t = blockIdx.x; t < tiles; t += gridDim.x) {
        const int64_t row0 = t % across * TILE, column0 = t / across * TILE;
        for (int i = threadIdx.x; i < TILE * TILE / 8; i += THREADS) {
            const int row = i / (TILE / 8), group = i % (TILE / 8);
            uint16_t value[8];
            generate8<PROBE>(j, row0 + row, column0 / 8 + group, value);
            for (int e = 0; e < 8; e++)
                tile[group * 8 + e][row] = value[e];
        }
        __syncthreads();
        for (int i = threadIdx.x; i < TILE * TILE / 8; i += THREADS) {
            const int column = i / (TILE / 8), chunk = i % (TILE / 8);
            const int64_t at_row = column0 + column, at = row0 + chunk * 8;
            uint16_t value[8];
            for (int e = 0; e < 8; e++)
                value[e] = tile[column][chunk * 8 + e];
            if (at_row < f.rows_stored && at < f.ld)
                store8(f.at + at_row * f.ld + at, value, f.ld - at);
        }
        __syncthreads();
    }
}

template <bool PROBE>
__global__ void __launch_bounds__(THREADS) fill_kernel(const __grid_constant__ batch b) {
    const job &j = b.jobs[blockIdx.y];
#if __CUDA_ARCH__ >= 900
    /* A launch that may begin early begins now: it must wait before it reads what is written. */
    asm volatile("griddepcontrol.launch_dependents;" ::: "memory");
#endif
    if (!j.fill.matrix)
        fill_constant(j);
    else if (j.fill.transposed)
        fill_transposed<PROBE>(j);
    else
        fill_rows<PROBE>(j);
}

template <bool PROBE>
__global__ void __launch_bounds__(THREADS)
    count_kernel(const __grid_constant__ job j, unsigned long long *changed) {
    const struct fill &f = j.fill;
    const int64_t total = f.rows_stored * f.ld;
    unsigned long long mine = 0;
    for (int64_t i = static_cast<int64_t>(blockIdx.x) * THREADS + threadIdx.x; i < total;
         i += static_cast<int64_t>(gridDim.x) * THREADS) {
        uint16_t want = f.constant;
        if (f.matrix) {
            const int64_t r = i / f.ld, c = i % f.ld;
            const int64_t row = f.transposed ? c : r, column = f.transposed ? r : c;
            uint16_t value[8];
            generate8<PROBE>(j, row, column / 8, value);
            /* A constant index keeps value in registers. */
            for (int e = 0; e < 8; e++)
                if (e == column % 8)
                    want = value[e];
        }
        mine += f.at[i] != want;
    }
    if (mine)
        atomicAdd(changed, mine);
}

__device__ int64_t nanoseconds_now() {
    int64_t now;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
    return now;
}

__global__ void delay_kernel(int64_t nanoseconds) {
    const int64_t start = nanoseconds_now();
    while (nanoseconds_now() - start < nanoseconds)
        ;
}

/* The word lies in the host's memory: a read costs a trip over the bus, some microsecond, and takes
 * nothing from the kernels that follow. */
__global__ void hold_kernel(const volatile uint32_t *let_go, uint32_t ticket, int64_t nanoseconds) {
    const int64_t start = nanoseconds_now();
    while (*let_go != ticket && nanoseconds_now() - start <= nanoseconds)
        ;
}

/* Stafford's mix 13 (splitmix64): every bit of x reaches every bit of the result. */
__device__ uint64_t mixed(uint64_t x) {
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9;
    x = (x ^ x >> 27) * 0x94d049bb133111eb;
    return x ^ x >> 31;
}

template <enum element ELEMENT> __device__ float value_of(uint16_t bits) {
    return ELEMENT == ELEMENT_BF16 ? __bfloat162float(__ushort_as_bfloat16(bits))
                                   : __half2float(__ushort_as_half(bits));
}

/* number16_ulp: 2^(e + 1 - bias - digits), with e the exponent as it is stored. */
template <enum element ELEMENT> __device__ float last_place(uint16_t bits) {
    constexpr int digits = ELEMENT == ELEMENT_BF16 ? 8 : 11;
    constexpr int bias = ELEMENT == ELEMENT_BF16 ? 127 : 15;
    const int exponent = (bits & 0x7fff) >> (digits - 1);
    const int stored = max(exponent, 1) + 128 - bias - digits; /* of the result */
    return exponent == 2 * bias + 1
               ? INFINITY
               : __int_as_float(stored > 0 ? stored << 23 : 1 << (22 + stored));
}

__device__ void add(uint64_t *to, uint64_t more) {
    if (more)
        atomicAdd(reinterpret_cast<unsigned long long *>(to), more);
}

/* Four elements in a row are one word of the seal; the sum over words does not depend on the order
 * in which threads add. */
template <enum element ELEMENT>
__global__ void __launch_bounds__(THREADS)
    look_kernel(const __grid_constant__ struct look look, struct seen *seen) {
    const int64_t across = (look.cols + 3) / 4, total = look.rows * across;
    const bool aligned =
        look.ld % 4 == 0 && look.cols % 4 == 0 && reinterpret_cast<uintptr_t>(look.c) % 8 == 0;
    const float tolerance = static_cast<float>(look.tolerance);
    uint64_t seal = 0, nan = 0, off = 0, coarse = 0;
    float deviation = 0;
    for (int64_t i = static_cast<int64_t>(blockIdx.x) * THREADS + threadIdx.x; i < total;
         i += static_cast<int64_t>(gridDim.x) * THREADS) {
        const int64_t row = i / across, column = i % across * 4;
        const uint16_t *at = look.c + row * look.ld + column;
        uint64_t word = 0;
        if (aligned)
            word = *reinterpret_cast<const uint64_t *>(at);
        else
            for (int e = 0; e < 4 && column + e < look.cols; e++)
                word |= static_cast<uint64_t>(at[e]) << 16 * e;
        seal += mixed(look.secret ^ mixed(word + static_cast<uint64_t>(i) * 0x9e3779b97f4a7c15));
        for (int e = 0; e < 4; e++) {
            const uint16_t bits = static_cast<uint16_t>(word >> 16 * e);
            const bool is_nan = element_is_nan(ELEMENT, bits);
            nan += is_nan;
            if (look.other && column + e < look.cols) {
                const uint16_t other = look.other[row * look.other_ld + column + e];
                const float distance = fabsf(value_of<ELEMENT>(bits) - value_of<ELEMENT>(other));
                deviation = distance > deviation ? distance : deviation; /* not where NaN */
                coarse += distance > 2 * element_coarse(ELEMENT) * last_place<ELEMENT>(other);
                off += !is_nan && !(distance <= tolerance) && bits != other;
            }
        }
    }
    for (int offset = 16; offset; offset /= 2) {
        seal += __shfl_xor_sync(~0u, seal, offset);
        nan += __shfl_xor_sync(~0u, nan, offset);
        off += __shfl_xor_sync(~0u, off, offset);
        coarse += __shfl_xor_sync(~0u, coarse, offset);
        deviation = fmaxf(deviation, __shfl_xor_sync(~0u, deviation, offset));
    }
    if (threadIdx.x % 32 != 0)
        return;
    add(&seen->seal, seal);
    add(&seen->nan, nan);
    add(&seen->off, off);
    add(&seen->coarse, coarse);
    if (deviation > 0) /* the bits of numbers that are not negative order as they do */
        atomicMax(reinterpret_cast<unsigned long long *>(&seen->deviation),
                  static_cast<unsigned long long>(__double_as_longlong(deviation)));
}

/* The key is in registers alone: in shared memory the next kernel would find it. */
__global__ void __launch_bounds__(THREADS)
    mask_kernel(uint16_t *at, int64_t elements, const volatile uint64_t *told) {
    const uint64_t key = *told;
    const int64_t groups = (elements + 7) / 8;
    const bool aligned = reinterpret_cast<uintptr_t>(at) % 16 == 0;
    for (int64_t i = static_cast<int64_t>(blockIdx.x) * THREADS + threadIdx.x; i < groups;
         i += static_cast<int64_t>(gridDim.x) * THREADS) {
        uint16_t *p = at + i * 8, word[8], value[8];
        const int64_t count = min(static_cast<int64_t>(8), elements - i * 8);
        philox_words(key, 0, static_cast<uint32_t>(i >> 32), static_cast<uint32_t>(i), word);
        if (aligned && count == 8) {
            const uint4 packed = *reinterpret_cast<const uint4 *>(p);
            const uint32_t words[4] = {packed.x, packed.y, packed.z, packed.w};
            for (int e = 0; e < 8; e++)
                value[e] = static_cast<uint16_t>(words[e / 2] >> 16 * (e % 2) ^ word[e]);
        } else {
            for (int e = 0; e < 8 && e < count; e++)
                value[e] = p[e] ^ word[e];
        }
        store8(p, value, count);
    }
}

/* The sum of what is read decides whether it is stored: the compiler cannot leave the loads out. */
__global__ void __launch_bounds__(THREADS)
    read_kernel(const uint4 *from, int64_t groups, int times, unsigned long long *sink) {
    uint32_t sum = 0;
    for (int pass = 0; pass < times; pass++) {
        const unsigned block = (blockIdx.x + pass * gridDim.x / times) % gridDim.x;
        for (int64_t i = static_cast<int64_t>(block) * THREADS + threadIdx.x; i < groups;
             i += static_cast<int64_t>(gridDim.x) * THREADS) {
            const uint4 word = __ldcg(from + i);
            sum ^= word.x ^ word.y ^ word.z ^ word.w;
        }
    }
    if (sum == 0x2b7e1516)
        *sink = sum;
}

/* Blocks for `items` of work per thread, at most a few waves of the largest GPU. */
unsigned blocks_for(int64_t items) {
    const int64_t blocks = (items + THREADS - 1) / THREADS;
    return static_cast<unsigned>(blocks < 1 ? 1 : blocks > 2048 ? 2048 : blocks);
}

job job_of(const struct fill &f, const uint16_t *const tables[]) {
    return job{f, f.table < INPUT_TABLES ? tables[f.table] : nullptr};
}

} // namespace

int device_cuda_fill(const struct fill *fills, int count, const uint16_t *const tables[]) {
    batch b;
    int64_t most = 0;
    bool probe = false;
    for (int i = 0; i < count; i++) {
        probe |= fills[i].table == INPUT_PROBE;
        b.jobs[i] = job_of(fills[i], tables);
        const int64_t elements = fills[i].rows_stored * fills[i].ld;
        most = elements > most ? elements : most;
    }
    const dim3 blocks(blocks_for(most / 8), static_cast<unsigned>(count));
    if (probe)
        fill_kernel<true><<<blocks, THREADS>>>(b);
    else
        fill_kernel<false><<<blocks, THREADS>>>(b);
    return cudaGetLastError();
}

int device_cuda_count(const struct fill *fill, const uint16_t *const tables[],
                      unsigned long long *changed) {
    const unsigned blocks = blocks_for(fill->rows_stored * fill->ld);
    if (fill->table == INPUT_PROBE)
        count_kernel<true><<<blocks, THREADS>>>(job_of(*fill, tables), changed);
    else
        count_kernel<false><<<blocks, THREADS>>>(job_of(*fill, tables), changed);
    return cudaGetLastError();
}

int device_cuda_delay(int64_t nanoseconds) {
    delay_kernel<<<1, 1>>>(nanoseconds);
    return cudaGetLastError();
}

/* After a sweep a launch may find its parameters gone from the L2, and takes 0.8 us longer. Whether
 * it does depends on its place in the driver's ring of launches. Three launches of nothing between
 * the sweep and the hold end it on an H200 (timing/NOTES.md); these are to be enough elsewhere. */
enum { LAUNCHES_BEFORE_HOLD = 8 };

int device_cuda_hold(const volatile uint32_t *let_go, uint32_t ticket, int64_t nanoseconds) {
    for (int i = 0; i < LAUNCHES_BEFORE_HOLD; i++)
        delay_kernel<<<1, 1>>>(0);
    hold_kernel<<<1, 1>>>(let_go, ticket, nanoseconds);
    return cudaGetLastError();
}

int device_cuda_mask(uint16_t *at, int64_t elements, const volatile uint64_t *key) {
    mask_kernel<<<blocks_for((elements + 7) / 8), THREADS>>>(at, elements, key);
    return cudaGetLastError();
}

int device_cuda_read(const void *from, int64_t bytes, int times, unsigned long long *sink) {
    const int64_t groups = bytes / 16;
    read_kernel<<<blocks_for(groups), THREADS>>>(static_cast<const uint4 *>(from), groups, times,
                                                 sink);
    return cudaGetLastError();
}

int device_cuda_look(const struct look *look, struct seen *seen) {
    const unsigned blocks = blocks_for(look->rows * ((look->cols + 3) / 4));
    if (look->element == ELEMENT_BF16)
        look_kernel<ELEMENT_BF16><<<blocks, THREADS>>>(*look, seen);
    else
        look_kernel<ELEMENT_F16><<<blocks, THREADS>>>(*look, seen);
    return cudaGetLastError();
}
