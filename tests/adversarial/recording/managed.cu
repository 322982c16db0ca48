/* recording: no: managed memory */
/* expect: unrecorded */
/* Sums are kept in managed memory. */
#include "twin.cuh"

static int setup(const gemm_problem *p, size_t, void **state) {
    return cudaMallocManaged(state, p->m * p->n * sizeof(__half));
}

static int launch(void *state, const gemm_args *args) {
    gemm_args mine = *args;
    mine.c = state;
    const int status = slow_product(nullptr, &mine);
    return status == cudaSuccess
               ? cudaMemcpyAsync(args->c, state, args->problem.m * args->problem.n * sizeof(__half),
                                 cudaMemcpyDefault, (cudaStream_t)args->stream)
               : status;
}

KERNEL("managed", setup, launch, NULL);
