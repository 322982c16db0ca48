/* The simplest tensor-core product: nvcuda::wmma, one 64 x 64 tile of C a block, through shared
 * memory. As a candidate it shows `tile`: the harness hands over operands whose m, n and k are
 * multiples of 64, 64 and 32, padded with zeros, so that the kernel knows no edges and every row
 * starts at a multiple of 16 bytes. Nothing to set up, nothing to free. It serves both elements. */
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_runtime.h>
#include <gemmgate.h>
#include <mma.h>

namespace wmma = nvcuda::wmma;

constexpr int TILE_M = 64, TILE_N = 64, TILE_K = 32;
constexpr int THREADS = 128; /* four warps in 2 x 2, each 32 x 32 of the tile: 2 x 2 fragments */
constexpr int CHUNK = 8;     /* elements in a uint4 */

/* Rows in shared memory are 16 bytes longer than they need be, so that neighbours in a column fall
 * into different banks. wmma asks for leading dimensions in multiples of 16 bytes, and for
 * fragments that start at multiples of 32: rows 16 apart do, whatever the leading dimension, and
 * so do columns 16 apart. */
constexpr int LD_A = TILE_K + CHUNK, LD_B = TILE_N + CHUNK;

/* Element is __half or __nv_bfloat16. Sum is what is accumulated in: float, or __half where the
 * elements are. B is read row-major. */
template <class Element, class Sum>
__global__ void __launch_bounds__(THREADS)
    wmma_multiply(const Element *a, const Element *b, Element *c, int64_t n, int64_t k) {
    __shared__ __align__(32) Element a_tile[TILE_M * LD_A], b_tile[TILE_K * LD_B];
    __shared__ __align__(32) Sum sums[THREADS / 32][16 * 16];
    const int thread = threadIdx.x, warp = thread / 32, lane = thread % 32;
    const int64_t row0 = (int64_t)blockIdx.y * TILE_M, column0 = (int64_t)blockIdx.x * TILE_N;

    wmma::fragment<wmma::accumulator, 16, 16, 16, Sum> sum[2][2];
    for (int i = 0; i < 2; i++) {
        for (int j = 0; j < 2; j++)
            wmma::fill_fragment(sum[i][j], Sum(0.0f));
    }

    for (int64_t k0 = 0; k0 < k; k0 += TILE_K) {
        for (int at = thread; at < TILE_M * TILE_K / CHUNK; at += THREADS) {
            const int row = at / (TILE_K / CHUNK), column = at % (TILE_K / CHUNK) * CHUNK;
            *(uint4 *)(a_tile + row * LD_A + column) =
                *(const uint4 *)(a + (row0 + row) * k + k0 + column);
        }
        for (int at = thread; at < TILE_K * TILE_N / CHUNK; at += THREADS) {
            const int row = at / (TILE_N / CHUNK), column = at % (TILE_N / CHUNK) * CHUNK;
            *(uint4 *)(b_tile + row * LD_B + column) =
                *(const uint4 *)(b + (k0 + row) * n + column0 + column);
        }
        __syncthreads();
        for (int step = 0; step < TILE_K; step += 16) {
            wmma::fragment<wmma::matrix_a, 16, 16, 16, Element, wmma::row_major> a_part[2];
            wmma::fragment<wmma::matrix_b, 16, 16, 16, Element, wmma::row_major> b_part[2];
            for (int i = 0; i < 2; i++) {
                wmma::load_matrix_sync(a_part[i], a_tile + (warp / 2 * 32 + 16 * i) * LD_A + step,
                                       LD_A);
                wmma::load_matrix_sync(b_part[i], b_tile + step * LD_B + warp % 2 * 32 + 16 * i,
                                       LD_B);
            }
            for (int i = 0; i < 2; i++) {
                for (int j = 0; j < 2; j++)
                    wmma::mma_sync(sum[i][j], a_part[i], b_part[j], sum[i][j]);
            }
        }
        __syncthreads();
    }

    /* Which element of a fragment lies where is wmma's secret: through shared memory, 16 x 16 at a
     * time, eight neighbours a lane. */
    const int row = lane / 2, column = lane % 2 * CHUNK;
    for (int i = 0; i < 2; i++) {
        for (int j = 0; j < 2; j++) {
            wmma::store_matrix_sync(sums[warp], sum[i][j], 16, wmma::mem_row_major);
            __syncwarp();
            __align__(16) Element out[CHUNK];
            for (int e = 0; e < CHUNK; e++)
                out[e] = Element(sums[warp][row * 16 + column + e]);
            *(uint4 *)(c + (row0 + warp / 2 * 32 + 16 * i + row) * n + column0 + warp % 2 * 32 +
                       16 * j + column) = *(const uint4 *)out;
            __syncwarp();
        }
    }
}

template <class Element, class Sum> static int launch_as(const gemm_args *args) {
    const gemm_problem &p = args->problem;
    const dim3 grid((unsigned)(p.n / TILE_N), (unsigned)(p.m / TILE_M));
    wmma_multiply<Element, Sum><<<grid, THREADS, 0, (cudaStream_t)args->stream>>>(
        (const Element *)args->a, (const Element *)args->b_row, (Element *)args->c, p.n, p.k);
    return cudaGetLastError();
}

static int launch(void *, const gemm_args *args) {
    if (args->problem.element == GEMM_ELEMENT_BF16)
        return launch_as<__nv_bfloat16, float>(args);
    return args->problem.accumulate == GEMM_F32 ? launch_as<__half, float>(args)
                                                : launch_as<__half, __half>(args);
}

static const char *explain(int status) {
    return cudaGetErrorString((cudaError_t)status);
}

GEMMGATE_EXPORT const struct kernel_ops gemmgate_kernel = {
    .abi = GEMMGATE_ABI,
    .name = "wmma",
    .device = GEMM_CUDA,
    .accumulate = GEMM_F16 | GEMM_F32,
    .tile = {TILE_M, TILE_N, TILE_K},
    .can_do = nullptr,
    .setup = nullptr,
    .launch = launch,
    .teardown = nullptr,
    .explain = explain,
    .elements = GEMM_ELEMENT_F16 | GEMM_ELEMENT_BF16,
};
