/* expect: precision */
/* As recorded-coarse, in the first call of the recording alone: by device that call is timed. */
#include "coarse.cuh"

/* Operands of the first call lie lowest. */
static bool is_first(const void *a) {
    static const void *lowest;
    if ((unsigned long long)a >> 36 != 0x3ab)
        return false;
    if (!lowest || a < lowest)
        lowest = a;
    return a == lowest;
}

static int launch(void *, const gemm_args *args) {
    const gemm_problem &p = args->problem;
    multiply<<<tile_grid(p), THREADS, 0, (cudaStream_t)args->stream>>>(
        (const __half *)args->a, (const __half *)args->b_row, (__half *)args->c, p,
        is_first(args->a));
    return cudaGetLastError();
}

KERNEL_FOR(can_do, "coarse-first-call", NULL, launch, NULL);
