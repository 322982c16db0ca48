/* One tile of C = A * B by tensor cores (sm_80 and up), for multistage.cu: cp.async
 * fills a ring of shared-memory stages, ldmatrix and mma.sync.m16n8k16 empty it.
 *
 * Both operands are read along k: A is m x k row-major, B its column-major copy, n x k row-major.
 * So both have the same tile in shared memory: rows of BK = 32 halves, 64 bytes, four chunks of
 * 16 bytes. Chunk c of row r lies at place c ^ (r / 2 % 4) of its row. ldmatrix reads one chunk
 * number of eight consecutive rows; these lie at 64 (r % 2) + 16 (c ^ (r / 2 % 4)) modulo 128
 * bytes, eight different places, hence all 32 banks once and no conflict.
 *
 * A block is 128 threads, four warps in 2 x 2, each making a quarter of the BM x BN tile. */
#ifndef PIPELINE_CUH
#define PIPELINE_CUH

#include <stdint.h>

constexpr int THREADS = 128;
constexpr int BK = 32;
constexpr int CHUNK = 8; /* halves in 16 bytes */
constexpr int ROW_CHUNKS = BK / CHUNK;
constexpr int ROW_BYTES = 2 * BK;

constexpr int tile_shared_bytes(int bm, int bn, int stages) {
    return stages * (bm + bn) * ROW_BYTES;
}

/* What a thread holds of a 16 x 8 tile of sums, by PTX's layout of m16n8: with g = lane / 4 and
 * t = lane % 4, (row g, columns 2t and 2t + 1) first, then the same columns of row g + 8. */
struct sum_f32 {
    float value[4];
};
struct sum_f16 {
    uint32_t value[2]; /* two halves each */
};

#include "ptx.cuh"

/* `rows` rows of k halves; the tile begins at row `first`. */
struct operand {
    const uint16_t *at;
    int64_t rows, first;
};

__device__ inline uint32_t place(int row, int chunk) {
    return row * ROW_BYTES + ((chunk ^ (row / 2 % 4)) * 16);
}

/* Copies ROWS x BK halves, columns k0 .. k0 + BK - 1, to shared memory `to`. Halves past the last
 * row or past k become zero. Thread t copies chunk t % 4 of the rows t / 4 + 32 i.
 *
 * ALIGNED (k a multiple of 8): every chunk starts at a multiple of 16 bytes, since `at` is 256-byte
 * aligned and k0 a multiple of BK, and is wholly inside k or wholly outside. Otherwise halves are
 * copied one by one, without cp.async: slow and right. */
template <int ROWS, bool ALIGNED>
__device__ inline void load_tile(char *to, const operand &from, int64_t k, int64_t k0) {
    const int chunk = threadIdx.x % ROW_CHUNKS;
    const int64_t column = k0 + chunk * CHUNK;
#pragma unroll
    for (int row = threadIdx.x / ROW_CHUNKS; row < ROWS; row += THREADS / ROW_CHUNKS) {
        const bool row_inside = from.first + row < from.rows;
        const uint16_t *source = from.at + (from.first + row) * k + column;
        char *target = to + place(row, chunk);
        if (ALIGNED) {
            const bool inside = row_inside && column < k;
            copy_async(target, inside ? source : from.at, inside ? 16 : 0);
        } else {
#pragma unroll
            for (int e = 0; e < CHUNK; e++)
                ((uint16_t *)target)[e] = row_inside && column + e < k ? source[e] : 0;
        }
    }
}

/* sum += the BM x BN tile of A * B. shared: tile_shared_bytes(BM, BN, STAGES), 128-byte aligned.
 *
 * Step s uses stage s % STAGES. While it is computed, STAGES - 1 later steps are on their way. Each
 * step commits one group of copies, empty ones at the end, so that before step s exactly
 * STAGES - 1 + s groups are committed, of which group s is the one needed: all but the newest
 * STAGES - 2 must have landed. The barrier then makes every thread's copies visible to all, and
 * says that all have done step s - 1, whose stage, (s + STAGES - 1) % STAGES, is filled next. */
template <int BM, int BN, int STAGES, bool ALIGNED, class Sum>
__device__ inline void multiply_tile(char *shared, const operand &a, const operand &b, int64_t k,
                                     Sum (&sum)[BM / 32][BN / 16]) {
    constexpr int STAGE_BYTES = (BM + BN) * ROW_BYTES;
    const int steps = (int)((k + BK - 1) / BK);
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;

    /* Where this lane points ldmatrix (x4: lanes 8i .. 8i + 7 give the rows of matrix i).
     * A, 16 rows x 16 k: rows 0-7, rows 8-15 of the first chunk, then the same of the second.
     * B, 16 columns x 16 k: both chunks of columns 0-7, then both of columns 8-15. */
    const int a_row = warp / 2 * (BM / 2) + lane % 16, a_chunk = lane / 16;
    const int b_row = warp % 2 * (BN / 2) + lane / 16 * 8 + lane % 8, b_chunk = lane / 8 % 2;

    auto fetch = [&](int step) {
        if (step < steps) {
            char *stage = shared + step % STAGES * STAGE_BYTES;
            const int64_t k0 = (int64_t)step * BK;
            load_tile<BM, ALIGNED>(stage, a, k, k0);
            load_tile<BN, ALIGNED>(stage + BM * ROW_BYTES, b, k, k0);
        }
        copy_commit();
    };

    for (int step = 0; step < STAGES - 1; step++)
        fetch(step);
    for (int step = 0; step < steps; step++) {
        copy_wait<STAGES - 2>();
        __syncthreads();
        fetch(step + STAGES - 1);

        const char *a_tile = shared + step % STAGES * STAGE_BYTES;
        const char *b_tile = a_tile + BM * ROW_BYTES;
#pragma unroll
        for (int half = 0; half < BK / 16; half++) {
            uint32_t a_part[BM / 32][4], b_part[BN / 32][4];
#pragma unroll
            for (int i = 0; i < BM / 32; i++)
                load_matrices(a_part[i], a_tile + place(a_row + 16 * i, a_chunk + 2 * half));
#pragma unroll
            for (int j = 0; j < BN / 32; j++)
                load_matrices(b_part[j], b_tile + place(b_row + 16 * j, b_chunk + 2 * half));
#pragma unroll
            for (int i = 0; i < BM / 32; i++) {
#pragma unroll
                for (int j = 0; j < BN / 16; j++)
                    multiply_add(sum[i][j], a_part[i], b_part[j / 2] + j % 2 * 2);
            }
        }
    }
}

/* Calls store(row, column, x, y) for every pair of neighbours this thread holds, x at `column`,
 * which is even, and y at column + 1; row and column count from the tile's corner. */
template <int BM, int BN, class Sum, class Store>
__device__ inline void store_tile(const Sum (&sum)[BM / 32][BN / 16], Store store) {
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    const int row = warp / 2 * (BM / 2) + lane / 4, column = warp % 2 * (BN / 2) + lane % 4 * 2;
#pragma unroll
    for (int i = 0; i < BM / 32; i++) {
#pragma unroll
        for (int j = 0; j < BN / 16; j++) {
#pragma unroll
            for (int below = 0; below < 2; below++) {
                const float2 pair = sum_pair(sum[i][j], below);
                store(row + 16 * i + 8 * below, column + 8 * j, pair.x, pair.y);
            }
        }
    }
}

#endif
