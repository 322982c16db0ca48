/* expect: ok */
/* Twin: a dependent launch has the L2 fetch its B, as weights are, before it waits for the work that
 * makes its A. */
#include "tile.cuh"

static __global__ void __launch_bounds__(THREADS)
    prefetching(const __half *a, const __half *b, __half *c, gemm_problem p) {
#if __CUDA_ARCH__ >= 900
    const int64_t column0 = blockIdx.x * TILE;
    for (int64_t k = threadIdx.x; k < p.k; k += THREADS)
        asm volatile("prefetch.global.L2 [%0];" ::"l"(b + k * p.n + column0));
    asm volatile("griddepcontrol.launch_dependents;" ::: "memory");
    asm volatile("griddepcontrol.wait;" ::: "memory");
#endif
    tile_make(a, b, c, p);
}

static int launch(void *, const gemm_args *args) {
    const gemm_problem &p = args->problem;
    cudaLaunchAttribute early = {};
    early.id = cudaLaunchAttributeProgrammaticStreamSerialization;
    early.val.programmaticStreamSerializationAllowed = 1;
    cudaLaunchConfig_t config = {};
    config.gridDim = tile_grid(p);
    config.blockDim = dim3(THREADS);
    config.stream = (cudaStream_t)args->stream;
    config.attrs = &early;
    config.numAttrs = 1;
    return cudaLaunchKernelEx(&config, prefetching, (const __half *)args->a,
                              (const __half *)args->b_row, (__half *)args->c, p);
}

KERNEL_FOR(tile_can_do, "prefetch-b", NULL, launch, NULL);
