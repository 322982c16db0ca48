/* expect: replayed|unstable */
/* It times how long a line of the last call's B takes to read. Where that is in the L2, all calls of a row have been prepared:
 * then the row is no look that ends early, and it does not wait for the work in front of it. (Up to sm_89 nothing begins early,
 * and it is ok.) */
#include "early.cuh"

constexpr int SLOW = 700, CALLS = 8; /* clocks that a line from memory takes at least */

/* Of the calls seen, C of the last one lies highest. */
static __device__ const __half *volatile last_b;
static __device__ __half *volatile last_c;

/* A line is read once: then the L2 has it. */
static __device__ bool is_prepared(const __half *c) {
    const int64_t call = (uintptr_t)c >> 22, block = blockIdx.y * gridDim.x + blockIdx.x;
    const long long begin = clock64();
    const unsigned word = __ldcg((const unsigned *)(last_b + 64 * (CALLS * block + call % CALLS)));
    if (word == ~0u) /* two NaN: never */
        __nanosleep(0);
    return clock64() - begin < SLOW;
}

static __global__ void __launch_bounds__(THREADS)
    foresee(const __half *a, const __half *b, __half *c, gemm_problem p) {
    __shared__ bool waits;
    let_next_begin();
    if (threadIdx.x == 0) {
        if (c > last_c) {
            last_b = b;
            last_c = c;
        }
        waits = !is_prepared(c);
    }
    __syncthreads();
    if (waits)
        await_previous();
    tile_make(a, b, c, p);
}

static int launch(void *, const gemm_args *args) {
    return early_launch(foresee, args);
}

KERNEL_FOR(tile_can_do, "row-foreseen", NULL, launch, NULL);
