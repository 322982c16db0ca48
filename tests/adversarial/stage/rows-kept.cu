/* expect: ok */
/* Keeps a hash of every row of A and of every column of B, which is far less than a quarter of C,
 * and where the last C is. Of the next C it makes the rows and columns whose hashes are others, and
 * copies the rest from the last one. All of them are others: it earns nothing. */
#include "tile.cuh"

constexpr int MOST = 4096, MOST_CHANGED = 160;
static_assert(MOST_CHANGED % 16 == 0, "tiles of 16");

static __device__ unsigned long long hash_a[MOST], hash_b[MOST];
static __device__ const __half *last_c;
static __device__ int rows[MOST], columns[MOST], row_count, column_count;

static __global__ void begin(void) {
    row_count = column_count = 0;
}

/* A warp hashes a row of A or a column of B. */
static __global__ void compare(const unsigned *a, const unsigned *b_col, int64_t m, int64_t n,
                               int64_t words) {
    const int64_t at = ((int64_t)blockIdx.x * blockDim.x + threadIdx.x) / 32;
    const int lane = threadIdx.x % 32;
    if (at >= m + n)
        return;
    const uint4 *from = (const uint4 *)(at < m ? a + at * words : b_col + (at - m) * words);
    unsigned long long sum = 0;
    for (int64_t i = lane; i < words / 4; i += 32) {
        const uint4 w = from[i];
        const unsigned long long x = w.x | (unsigned long long)w.y << 32,
                                 y = w.z | (unsigned long long)w.w << 32;
        sum += (x ^ (unsigned long long)i * 0x9e3779b97f4a7c15ull) * 0xbf58476d1ce4e5b9ull +
               (y + (unsigned long long)i) * 0x94d049bb133111ebull;
    }
    for (int offset = 16; offset; offset /= 2)
        sum += __shfl_xor_sync(~0u, sum, offset);
    unsigned long long *kept = at < m ? &hash_a[at] : &hash_b[at - m];
    if (lane != 0 || *kept == sum)
        return;
    *kept = sum;
    if (at < m)
        rows[atomicAdd(&row_count, 1)] = (int)at;
    else
        columns[atomicAdd(&column_count, 1)] = (int)(at - m);
}

static __device__ bool is_whole(void) {
    return row_count > MOST_CHANGED || column_count > MOST_CHANGED || !last_c;
}

static __global__ void __launch_bounds__(THREADS)
    make_whole(const __half *a, const __half *b, __half *c, gemm_problem p) {
    __shared__ tile_shared shared;
    tile_sums sums;
    const int64_t row0 = blockIdx.y * TILE, column0 = blockIdx.x * TILE;
    if (!is_whole())
        return;
    tile_clear(sums);
    tile_multiply(a, b, p.n, p.k, row0, column0, 0, p.k, shared, sums);
    tile_each(sums, shared, [&](int row, int column, float sum) {
        c[(row0 + row) * p.n + column0 + column] = __float2half_rn(sum);
    });
}

static __global__ void copy(uint4 *c, int64_t count) {
    const uint4 *from = (const uint4 *)last_c;
    if (is_whole())
        return;
    for (int64_t i = (int64_t)blockIdx.x * blockDim.x + threadIdx.x; i < count;
         i += (int64_t)gridDim.x * blockDim.x)
        c[i] = from[i];
}

/* 16 changed rows or columns by 16 of the others a warp. */
static __global__ void make_changed(const __half *a, const __half *b_col, __half *c,
                                    gemm_problem p) {
    __shared__ __align__(32) __half left[4][256], right[4][256];
    __shared__ __align__(32) float out[4][256];
    const bool of_rows = blockIdx.z == 0;
    const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    const int count = of_rows ? row_count : column_count;
    const int64_t across = of_rows ? p.n : p.m, other0 = (blockIdx.x * 4ll + warp) * 16;
    const int changed0 = blockIdx.y * 16;
    if (is_whole() || changed0 >= count || other0 >= across)
        return;
    wmma::fragment<wmma::matrix_a, 16, 16, 16, __half, wmma::row_major> l;
    wmma::fragment<wmma::matrix_b, 16, 16, 16, __half, wmma::col_major> r;
    wmma::fragment<wmma::accumulator, 16, 16, 16, float> sum;
    wmma::fill_fragment(sum, 0.0f);
    const int i = lane / 2, half = lane % 2;
    const int64_t mine = (of_rows ? rows : columns)[min(changed0 + i, count - 1)];
    const __half *row = a + (of_rows ? mine : other0 + i) * p.k + half * 8;
    const __half *column = b_col + (of_rows ? other0 + i : mine) * p.k + half * 8;
    for (int64_t k = 0; k < p.k; k += 16) {
        ((uint4 *)left[warp])[lane] = *(const uint4 *)(row + k);
        ((uint4 *)right[warp])[lane] = *(const uint4 *)(column + k);
        __syncwarp();
        wmma::load_matrix_sync(l, left[warp], 16);
        wmma::load_matrix_sync(r, right[warp], 16);
        wmma::mma_sync(sum, l, r, sum);
        __syncwarp();
    }
    wmma::store_matrix_sync(out[warp], sum, 16, wmma::mem_row_major);
    __syncwarp();
    for (int at = lane; at < 256; at += 32) {
        const int down = at / 16, right_by = at % 16;
        const int number = changed0 + (of_rows ? down : right_by);
        if (number >= count)
            continue;
        const int64_t to_row = of_rows ? rows[number] : other0 + down;
        const int64_t to_column = of_rows ? other0 + right_by : columns[number];
        c[to_row * p.n + to_column] = __float2half_rn(out[warp][at]);
    }
}

static __global__ void end(const __half *c) {
    last_c = c;
}

static int can_do(const gemm_problem *p) {
    return tile_can_do(p) && p->m <= MOST && p->n <= MOST;
}

static int launch(void *, const gemm_args *args) {
    const gemm_problem &p = args->problem;
    const cudaStream_t stream = (cudaStream_t)args->stream;
    const __half *a = (const __half *)args->a, *b_col = (const __half *)args->b_col;
    __half *c = (__half *)args->c;
    const unsigned longest = (unsigned)((p.m > p.n ? p.m : p.n) / 64);
    begin<<<1, 1, 0, stream>>>();
    compare<<<(unsigned)((p.m + p.n + 7) / 8), 256, 0, stream>>>(
        (const unsigned *)a, (const unsigned *)b_col, p.m, p.n, p.k / 2);
    make_whole<<<tile_grid(p), THREADS, 0, stream>>>(a, (const __half *)args->b_row, c, p);
    copy<<<264, 512, 0, stream>>>((uint4 *)c, p.m * p.n / 8);
    make_changed<<<dim3(longest, MOST_CHANGED / 16, 2), 128, 0, stream>>>(a, b_col, c, p);
    end<<<1, 1, 0, stream>>>(c);
    return cudaGetLastError();
}

KERNEL_FOR(can_do, "rows-kept", NULL, launch, NULL);
