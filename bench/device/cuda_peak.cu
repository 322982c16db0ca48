#include "bench/device/cuda_kernels.h"

namespace {

constexpr int REPEATS = 8; /* the first ones also bring the clocks up */

/* A step is a 64 x 256 x 16 multiply-add by a warpgroup, of which each warp owns 16 rows: one
 * wgmma, or 32 mma.sync by each warp, on the same accumulators. */
constexpr int ROWS = 64, COLUMNS = 256, DEPTH = 16;
constexpr int WARPGROUP = 128;
constexpr int ACCUMULATORS = ROWS * COLUMNS / WARPGROUP / 2; /* registers of two binary16 */
constexpr int STEPS = 8192, STEPS_A_GROUP = 8;
constexpr int MULTIPLY_THREADS = 2 * WARPGROUP, MULTIPLY_BLOCKS = 2; /* an SM */
static_assert(STEPS % STEPS_A_GROUP == 0, "groups are whole");

constexpr int READ_THREADS = 256, READ_BLOCKS = 4; /* an SM */
constexpr int LOADS = 8;                           /* in flight a thread */
constexpr int CHUNKS_A_BLOCK = 1024;
constexpr int64_t CHUNK_BYTES = READ_THREADS * LOADS * sizeof(uint4);

/* What the code compiled for the card multiplies with. */
enum instruction { NONE, MMA_SYNC, WGMMA };
__device__ int ran;

#if defined(__CUDA_ARCH_FEAT_SM90_ALL)

constexpr int INSTRUCTION = WGMMA;

#define REG4(i) "+r"(d[i]), "+r"(d[i + 1]), "+r"(d[i + 2]), "+r"(d[i + 3])
#define REG16(i) REG4(i), REG4(i + 4), REG4(i + 8), REG4(i + 12)

__device__ void wgmma(uint32_t d[ACCUMULATORS], uint64_t a, uint64_t b) {
    asm volatile("{\n.reg .pred add;\nsetp.eq.u32 add, 0, 0;\n"
                 "wgmma.mma_async.sync.aligned.m64n256k16.f16.f16.f16 "
                 "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, "
                 "%16, %17, %18, %19, %20, %21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31, "
                 "%32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, %44, %45, %46, %47, "
                 "%48, %49, %50, %51, %52, %53, %54, %55, %56, %57, %58, %59, %60, %61, %62, %63}, "
                 "%64, %65, add, 1, 1, 0, 0;\n}"
                 : REG16(0), REG16(16), REG16(32), REG16(48)
                 : "l"(a), "l"(b)
                 : "memory");
}

/* An operand with K contiguous and no swizzle: cores of 8 x 16 bytes, two along K. */
__device__ uint64_t descriptor(const void *shared) {
    constexpr uint64_t core = 128, along_k = core >> 4, across_k = 2 * core >> 4;
    return __cvta_generic_to_shared(shared) >> 4 | along_k << 16 | across_k << 32;
}

__device__ void multiply(uint32_t d[ACCUMULATORS], const uint4 *zeros) {
    constexpr int a_words = ROWS * DEPTH / 8, words = a_words + COLUMNS * DEPTH / 8;
    __shared__ alignas(128) uint4 operands[words];
    for (int i = threadIdx.x; i < words; i += MULTIPLY_THREADS)
        operands[i] = zeros[i];
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
    __syncthreads();
    const uint64_t a = descriptor(operands), b = descriptor(operands + a_words);
    for (int group = 0; group < STEPS / STEPS_A_GROUP; group++) {
        asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
#pragma unroll
        for (int step = 0; step < STEPS_A_GROUP; step++)
            wgmma(d, a, b);
        asm volatile("wgmma.commit_group.sync.aligned;\nwgmma.wait_group.sync.aligned 1;" ::
                         : "memory");
    }
    /* Nothing may read the accumulators before this. */
    asm volatile("wgmma.wait_group.sync.aligned 0;"
                 : REG16(0), REG16(16), REG16(32), REG16(48)::"memory");
}

#elif __CUDA_ARCH__ >= 800

constexpr int INSTRUCTION = MMA_SYNC;

__device__ void multiply(uint32_t d[ACCUMULATORS], const uint4 *zeros) {
    const uint4 a = zeros[threadIdx.x], b = zeros[MULTIPLY_THREADS + threadIdx.x];
    for (int step = 0; step < STEPS; step++)
#pragma unroll
        for (int i = 0; i < ACCUMULATORS; i += 2)
            asm volatile("mma.sync.aligned.m16n8k16.row.col.f16.f16.f16.f16 "
                         "{%0, %1}, {%2, %3, %4, %5}, {%6, %7}, {%0, %1};"
                         : "+r"(d[i]), "+r"(d[i + 1])
                         : "r"(a.x), "r"(a.y), "r"(a.z), "r"(a.w), "r"(b.x), "r"(b.y));
}

#else

constexpr int INSTRUCTION = NONE;

__device__ void multiply(uint32_t *, const uint4 *) {
}

#endif

/* Says what ran only where the products of zeros came out as zero, so that they must be made. */
__global__ void __launch_bounds__(MULTIPLY_THREADS, MULTIPLY_BLOCKS)
    multiply_kernel(const uint4 *zeros) {
    uint32_t d[ACCUMULATORS] = {}, any = 0;
    multiply(d, zeros);
    for (int i = 0; i < ACCUMULATORS; i++)
        any |= d[i];
    if (any == 0)
        ran = INSTRUCTION;
}

/* All blocks together go round the zeros, chunk by chunk. A store that never happens keeps the
 * loads. */
template <bool FROM_L2>
__global__ void __launch_bounds__(READ_THREADS, READ_BLOCKS)
    read_kernel(uint4 *zeros, unsigned chunks) {
    uint32_t any = 0;
    unsigned chunk = blockIdx.x % chunks;
    for (int done = 0; done < CHUNKS_A_BLOCK; done++) {
        const uint4 *at = zeros + static_cast<int64_t>(chunk) * READ_THREADS * LOADS + threadIdx.x;
        uint4 value[LOADS];
#pragma unroll
        for (int i = 0; i < LOADS; i++)
            value[i] = FROM_L2 ? __ldcg(at + i * READ_THREADS) : __ldcs(at + i * READ_THREADS);
#pragma unroll
        for (int i = 0; i < LOADS; i++)
            any |= value[i].x | value[i].y | value[i].z | value[i].w;
        chunk = (chunk + gridDim.x) % chunks;
    }
    if (any)
        zeros->x = any;
}

struct bench {
    unsigned units;
    uint4 *zeros;
    int64_t bytes;
    cudaEvent_t start, stop;
};

/* The status that came first. */
cudaError_t first(cudaError_t earlier, cudaError_t later) {
    return earlier != cudaSuccess ? earlier : later;
}

template <typename Launch>
cudaError_t best_seconds(const bench &b, Launch launch, double *seconds) {
    *seconds = INFINITY;
    for (int i = 0; i < REPEATS; i++) {
        float milliseconds;
        cudaError_t status = cudaEventRecord(b.start);
        if (status != cudaSuccess)
            return status;
        launch();
        if ((status = cudaGetLastError()) != cudaSuccess ||
            (status = cudaEventRecord(b.stop)) != cudaSuccess ||
            (status = cudaEventSynchronize(b.stop)) != cudaSuccess ||
            (status = cudaEventElapsedTime(&milliseconds, b.start, b.stop)) != cudaSuccess)
            return status;
        *seconds = fmin(*seconds, milliseconds * 1e-3);
    }
    return cudaSuccess;
}

template <bool FROM_L2> cudaError_t measure_reads(const bench &b, int64_t bytes, double *rate) {
    const unsigned blocks = b.units * READ_BLOCKS;
    const unsigned chunks = static_cast<unsigned>(bytes / CHUNK_BYTES);
    double seconds;
    const cudaError_t status = best_seconds(
        b, [&] { read_kernel<FROM_L2><<<blocks, READ_THREADS>>>(b.zeros, chunks); }, &seconds);
    if (status == cudaSuccess)
        *rate = static_cast<double>(blocks) * CHUNKS_A_BLOCK * CHUNK_BYTES / seconds;
    return status;
}

cudaError_t measure_products(const bench &b, int sm, double *rate) {
    const unsigned blocks = b.units * MULTIPLY_BLOCKS;
    double seconds;
    int instruction;
    cudaError_t status = best_seconds(
        b, [&] { multiply_kernel<<<blocks, MULTIPLY_THREADS>>>(b.zeros); }, &seconds);
    if (status != cudaSuccess ||
        (status = cudaMemcpyFromSymbol(&instruction, ran, sizeof ran)) != cudaSuccess)
        return status;
    /* A slower instruction's rate would call honest kernels impossible. */
    if (instruction != (sm >= 90 ? WGMMA : MMA_SYNC))
        return cudaErrorNotSupported;
    *rate =
        2.0 * ROWS * COLUMNS * DEPTH * STEPS * (MULTIPLY_THREADS / WARPGROUP) * blocks / seconds;
    return cudaSuccess;
}

/* Products come last, at clocks that the reads have brought up. */
cudaError_t measure(const bench &b, int sm, int64_t l2_size, struct light_rates *rates) {
    cudaError_t status = cudaMemset(b.zeros, 0, static_cast<size_t>(b.bytes));
    if (status != cudaSuccess ||
        (status = measure_reads<false>(b, b.bytes, &rates->dram_bytes)) != cudaSuccess ||
        (status = measure_reads<true>(b, l2_size / 4, &rates->l2_bytes)) != cudaSuccess)
        return status;
    return measure_products(b, sm, &rates->f16_flops);
}

cudaError_t with_stop(bench &b, int sm, int64_t l2_size, struct light_rates *rates) {
    const cudaError_t status = cudaEventCreate(&b.stop);
    if (status != cudaSuccess)
        return status;
    const cudaError_t measured = measure(b, sm, l2_size, rates);
    return first(measured, cudaEventDestroy(b.stop));
}

cudaError_t with_events(bench &b, int sm, int64_t l2_size, struct light_rates *rates) {
    const cudaError_t status = cudaEventCreate(&b.start);
    if (status != cudaSuccess)
        return status;
    const cudaError_t measured = with_stop(b, sm, l2_size, rates);
    return first(measured, cudaEventDestroy(b.start));
}

} // namespace

int device_cuda_peak(int sm, int units, int64_t l2_size, struct light_rates *rates) {
    size_t free_bytes, total_bytes;
    bench b = {};
    *rates = {};
    rates->l2_size = static_cast<double>(l2_size);
    cudaError_t status = cudaMemGetInfo(&free_bytes, &total_bytes);
    if (status != cudaSuccess)
        return status;
    b.units = static_cast<unsigned>(units);
    b.bytes = min(static_cast<int64_t>(free_bytes / 4), int64_t(1) << 30);
    if (units < 1 || l2_size / 4 < CHUNK_BYTES)
        return cudaErrorInvalidValue;
    if (b.bytes < 4 * l2_size) /* less would not miss the L2 */
        return cudaErrorMemoryAllocation;
    if ((status = cudaMalloc(&b.zeros, static_cast<size_t>(b.bytes))) != cudaSuccess)
        return status;
    status = with_events(b, sm, l2_size, rates);
    return first(status, cudaFree(b.zeros));
}
