/* Kernels by tiles that may begin before the work in front of them has ended. */
#ifndef EARLY_CUH
#define EARLY_CUH

#include "../timed/cuda/dependent.cuh"
#include "tile.cuh"

typedef void early_kernel(const __half *a, const __half *b, __half *c, gemm_problem p);

static inline int early_launch(early_kernel *kernel, const gemm_args *args) {
    return launch_dependent(kernel, tile_grid(args->problem), THREADS, (cudaStream_t)args->stream,
                            (const __half *)args->a, (const __half *)args->b_row, (__half *)args->c,
                            args->problem);
}

#endif
