/* recording: wrong: it has tired when it is recorded */
/* expect: dishonest|replayed|unstable */
/* A counter of the host: from the fortieth call on only half of k is summed. */
#include "twin.cuh"

static int launch(void *, const gemm_args *args) {
    static unsigned calls;
    const gemm_problem &p = args->problem;
    gemm_problem part = p;
    if (calls++ >= 40)
        part.k /= 2;
    slow_kernel<<<twin_blocks(p), 256, 0, (cudaStream_t)args->stream>>>(
        (const __half *)args->a, (const __half *)args->b_row, (__half *)args->c, part);
    return cudaGetLastError();
}

KERNEL("tires", NULL, launch, NULL);
