/* expect: ok */
/* Twin: a dependent launch has the L2 fetch its B, as weights are, before it waits for the work that
 * makes its A. */
#include "early.cuh"

static __global__ void __launch_bounds__(THREADS)
    prefetching(const __half *a, const __half *b, __half *c, gemm_problem p) {
    const int64_t column0 = blockIdx.x * TILE;
    for (int64_t k = threadIdx.x; k < p.k; k += THREADS)
        asm volatile("prefetch.global.L2 [%0];" ::"l"(b + k * p.n + column0));
    let_next_begin();
    await_previous();
    tile_make(a, b, c, p);
}

static int launch(void *, const gemm_args *args) {
    return early_launch(prefetching, args);
}

KERNEL_FOR(tile_can_do, "prefetch-b", NULL, launch, NULL);
