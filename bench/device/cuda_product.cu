#include "bench/device/cuda_kernels.h"

#include "correctness/numbers/reference_chunk.h"

#include <cuda_bf16.h>
#include <cuda_fp16.h>

namespace {

/* A block of 16 x 16 threads makes ROWS x COLUMNS elements, a thread DOWN x ACROSS of them. */
constexpr int SIDE = 16, THREADS = SIDE * SIDE;
constexpr int DOWN = 8, ACROSS = 4;
constexpr int ROWS = SIDE * DOWN, COLUMNS = SIDE * ACROSS;
constexpr int DEPTH = REFERENCE_CHUNK; /* of k at a time */
constexpr int PAD = 4;                 /* keeps rows of floats aligned for reads of four */

/* As FP32, in which products of two elements are exact. Zero outside of the matrix. */
template <enum element ELEMENT>
__device__ float element_at(const uint16_t *matrix, int64_t rows, int64_t cols, int64_t row,
                            int64_t col) {
    if (row >= rows || col >= cols)
        return 0;
    const uint16_t bits = __ldg(matrix + row * cols + col);
    return ELEMENT == ELEMENT_BF16 ? __bfloat162float(__ushort_as_bfloat16(bits))
                                   : __half2float(__ushort_as_half(bits));
}

__device__ void load4(const float *at, float *out) {
    const float4 four = *reinterpret_cast<const float4 *>(at);
    out[0] = four.x;
    out[1] = four.y;
    out[2] = four.z;
    out[3] = four.w;
}
static_assert(DOWN == 8 && ACROSS == 4, "what a thread loads at once");

template <enum element ELEMENT>
__global__ void __launch_bounds__(THREADS, 2)
    product_kernel(int64_t m, int64_t n, int64_t k, const uint16_t *a, const uint16_t *b,
                   float *c) {
    __shared__ __align__(16) float part_a[DEPTH][ROWS + PAD]; /* [l][row] */
    __shared__ __align__(16) float part_b[DEPTH][COLUMNS + PAD];
    const int64_t row0 = static_cast<int64_t>(blockIdx.y) * ROWS;
    const int64_t col0 = static_cast<int64_t>(blockIdx.x) * COLUMNS;
    const int down = threadIdx.x / SIDE * DOWN, across = threadIdx.x % SIDE * ACROSS;
    float high[DOWN][ACROSS] = {}, low[DOWN][ACROSS] = {};
    for (int64_t l0 = 0; l0 < k; l0 += DEPTH) {
        for (int i = threadIdx.x; i < ROWS * DEPTH; i += THREADS)
            part_a[i % DEPTH][i / DEPTH] =
                element_at<ELEMENT>(a, m, k, row0 + i / DEPTH, l0 + i % DEPTH);
        for (int i = threadIdx.x; i < DEPTH * COLUMNS; i += THREADS)
            part_b[i / COLUMNS][i % COLUMNS] =
                element_at<ELEMENT>(b, k, n, l0 + i / COLUMNS, col0 + i % COLUMNS);
        __syncthreads();
        float sum[DOWN][ACROSS] = {};
#pragma unroll 8
        for (int l = 0; l < DEPTH; l++) {
            float x[DOWN], y[ACROSS];
            load4(part_a[l] + down, x);
            load4(part_a[l] + down + 4, x + 4);
            load4(part_b[l] + across, y);
#pragma unroll
            for (int i = 0; i < DOWN; i++)
#pragma unroll
                for (int j = 0; j < ACROSS; j++)
                    sum[i][j] = fmaf(x[i], y[j], sum[i][j]);
        }
        /* Knuth's two-sum: high + low is the sum, but for the rounding of low. */
#pragma unroll
        for (int i = 0; i < DOWN; i++)
#pragma unroll
            for (int j = 0; j < ACROSS; j++) {
                const float next = __fadd_rn(high[i][j], sum[i][j]);
                const float added = __fsub_rn(next, high[i][j]);
                low[i][j] =
                    __fadd_rn(low[i][j], __fadd_rn(__fsub_rn(high[i][j], __fsub_rn(next, added)),
                                                   __fsub_rn(sum[i][j], added)));
                high[i][j] = next;
            }
        __syncthreads();
    }
    for (int i = 0; i < DOWN; i++)
        for (int j = 0; j < ACROSS; j++)
            if (row0 + down + i < m && col0 + across + j < n)
                c[(row0 + down + i) * n + col0 + across + j] = __fadd_rn(high[i][j], low[i][j]);
}

} // namespace

int device_cuda_product(enum element element, struct shape shape, const uint16_t *a,
                        const uint16_t *b, float *c) {
    const dim3 blocks(static_cast<unsigned>((shape.n + COLUMNS - 1) / COLUMNS),
                      static_cast<unsigned>((shape.m + ROWS - 1) / ROWS));
    if (element == ELEMENT_BF16)
        product_kernel<ELEMENT_BF16><<<blocks, THREADS>>>(shape.m, shape.n, shape.k, a, b, c);
    else
        product_kernel<ELEMENT_F16><<<blocks, THREADS>>>(shape.m, shape.n, shape.k, a, b, c);
    return cudaGetLastError();
}
