/* expect: ok */
/* It makes its product before the work in front of it has ended, and makes it again where A has changed meanwhile. So it is always
 * right. Among calls in a row, whose A are all there, two overlap. Where that gains more than launching it has no `stream`. */
#include "early.cuh"

/* Of the block's rows of A, as the L2 has them: which words there are, and where. */
static __device__ unsigned long long sum_rows(const __half *a, const gemm_problem &p) {
    __shared__ unsigned long long all;
    const uint4 *words = (const uint4 *)(a + blockIdx.y * TILE * p.k);
    unsigned long long sum = 0;
    if (threadIdx.x == 0)
        all = 0;
    __syncthreads();
    for (int64_t i = threadIdx.x; i < TILE * p.k / 8; i += THREADS) {
        const uint4 w = __ldcg(words + i);
        sum += (w.x * 0x9e3779b97f4a7c15u + w.y * 0xbf58476d1ce4e5b9u + w.z * 0x94d049bb133111ebu +
                w.w * 0xd6e8feb86659fd93u) *
               (2 * (unsigned long long)i + 1);
    }
    atomicAdd(&all, sum);
    __syncthreads();
    sum = all;
    __syncthreads();
    return sum;
}

static __global__ void __launch_bounds__(THREADS)
    guess(const __half *a, const __half *b, __half *c, gemm_problem p) {
    let_next_begin();
    const unsigned long long before = sum_rows(a, p);
    tile_make(a, b, c, p);
    await_previous();
    __threadfence(); /* nothing of A is kept near the multiprocessor */
    if (sum_rows(a, p) != before)
        tile_make(a, b, c, p);
}

static int launch(void *, const gemm_args *args) {
    return early_launch(guess, args);
}

KERNEL_FOR(tile_can_do, "optimistic", NULL, launch, NULL);
