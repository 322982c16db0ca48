/* expect: ok */
/* Twin: the product that the others of this folder make, and nothing else. */
#include "tile.cuh"

static int launch(void *, const gemm_args *args) {
    const gemm_problem &p = args->problem;
    tile_kernel<<<tile_grid(p), THREADS, 0, (cudaStream_t)args->stream>>>(
        (const __half *)args->a, (const __half *)args->b_row, (__half *)args->c, p);
    return cudaGetLastError();
}

KERNEL_FOR(tile_can_do, "plain", NULL, launch, NULL);
