/* A right product by tensor cores, in tiles of 64 x 64 that a block of four warps makes: what the
 * kernels of this folder share. */
#ifndef TILE_CUH
#define TILE_CUH

#include <mma.h>

#include "../kernel.h"

namespace wmma = nvcuda::wmma;

/* Clusters are there from sm_90 on. */
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 900
#define TILE_CLUSTER(x, y, z)
#else
#define TILE_CLUSTER(x, y, z) __cluster_dims__(x, y, z)
#endif

constexpr int TILE = 64, STEP = 32, THREADS = 128;

struct tile_sums {
    wmma::fragment<wmma::accumulator, 16, 16, 16, float> part[2][2];
};

struct tile_shared {
    __align__(128) __half a[TILE * STEP], b[STEP * TILE];
    __align__(128) float out[THREADS / 32][256];
};

static __device__ inline void tile_clear(tile_sums &sums) {
    for (int i = 0; i < 4; i++)
        wmma::fill_fragment(sums.part[i / 2][i % 2], 0.0f);
}

/* Adds the product of what is in shared memory: 64 x 32 of A and 32 x 64 of B, dense. */
static __device__ inline void tile_add(const __half *a, const __half *b, tile_sums &sums) {
    const int warp = threadIdx.x / 32;
    for (int step = 0; step < STEP; step += 16) {
        wmma::fragment<wmma::matrix_a, 16, 16, 16, __half, wmma::row_major> left[2];
        wmma::fragment<wmma::matrix_b, 16, 16, 16, __half, wmma::row_major> right[2];
        for (int i = 0; i < 2; i++) {
            wmma::load_matrix_sync(left[i], a + (warp / 2 * 32 + 16 * i) * STEP + step, STEP);
            wmma::load_matrix_sync(right[i], b + step * TILE + warp % 2 * 32 + 16 * i, TILE);
        }
        for (int i = 0; i < 4; i++)
            wmma::mma_sync(sums.part[i / 2][i % 2], left[i / 2], right[i % 2],
                           sums.part[i / 2][i % 2]);
    }
}

/* Adds the product from k_begin to k_end. */
static __device__ inline void tile_multiply(const __half *a, const __half *b, int64_t n, int64_t k,
                                            int64_t row0, int64_t column0, int64_t k_begin,
                                            int64_t k_end, tile_shared &shared, tile_sums &sums) {
    for (int64_t k0 = k_begin; k0 < k_end; k0 += STEP) {
        for (int at = threadIdx.x; at < TILE * STEP / 8; at += THREADS)
            ((uint4 *)shared.a)[at] =
                *(const uint4 *)(a + (row0 + at / (STEP / 8)) * k + k0 + at % (STEP / 8) * 8);
        for (int at = threadIdx.x; at < STEP * TILE / 8; at += THREADS)
            ((uint4 *)shared.b)[at] =
                *(const uint4 *)(b + (k0 + at / (TILE / 8)) * n + column0 + at % (TILE / 8) * 8);
        __syncthreads();
        tile_add(shared.a, shared.b, sums);
        __syncthreads();
    }
}

/* Calls use(row, column, sum) for every element of the tile. */
template <class function>
static __device__ inline void tile_each(const tile_sums &sums, tile_shared &shared, function use) {
    const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    for (int i = 0; i < 4; i++) {
        wmma::store_matrix_sync(shared.out[warp], sums.part[i / 2][i % 2], 16, wmma::mem_row_major);
        __syncwarp();
        for (int at = lane; at < 256; at += 32)
            use(warp / 2 * 32 + i / 2 * 16 + at / 16, warp % 2 * 32 + i % 2 * 16 + at % 16,
                shared.out[warp][at]);
        __syncwarp();
    }
}

static inline int tile_can_do(const gemm_problem *p) {
    return p->m % TILE == 0 && p->n % TILE == 0 && p->k % STEP == 0;
}

static inline dim3 tile_grid(const gemm_problem &p) {
    return dim3((unsigned)(p.n / TILE), (unsigned)(p.m / TILE));
}

/* The block's tile of C, whole. */
static __device__ inline void tile_make(const __half *a, const __half *b, __half *c,
                                        const gemm_problem &p) {
    __shared__ tile_shared shared;
    tile_sums sums;
    const int64_t row0 = blockIdx.y * TILE, column0 = blockIdx.x * TILE;
    tile_clear(sums);
    tile_multiply(a, b, p.n, p.k, row0, column0, 0, p.k, shared, sums);
    tile_each(sums, shared, [&](int row, int column, float sum) {
        c[(row0 + row) * p.n + column0 + column] = __float2half_rn(sum);
    });
}

static __global__ void __launch_bounds__(THREADS)
    tile_kernel(const __half *a, const __half *b, __half *c, gemm_problem p) {
    tile_make(a, b, c, p);
}

#endif
