/* recording: carried out */
/* expect: ok */
/* Takes and frees memory in each call, one piece in the order of the stream and one at once. */
#include "twin.cuh"

static int launch(void *, const gemm_args *args) {
    const gemm_problem &p = args->problem;
    const cudaStream_t stream = (cudaStream_t)args->stream;
    const size_t bytes = p.m * p.n * sizeof(__half);
    void *first, *second;
    gemm_args mine = *args;
    cudaError_t status = cudaMallocAsync(&first, bytes, stream);
    if (status == cudaSuccess)
        status = cudaMalloc(&second, bytes);
    if (status != cudaSuccess)
        return status;
    mine.c = first;
    status = (cudaError_t)slow_product(nullptr, &mine);
    if (status == cudaSuccess)
        status = cudaMemcpyAsync(second, first, bytes, cudaMemcpyDeviceToDevice, stream);
    if (status == cudaSuccess)
        status = cudaMemcpy2DAsync(args->c, p.n * sizeof(__half), second, p.n * sizeof(__half),
                                   p.n * sizeof(__half), p.m, cudaMemcpyDeviceToDevice, stream);
    if (status == cudaSuccess)
        status = cudaFreeAsync(first, stream);
    return status == cudaSuccess ? cudaFree(second) : status;
}

KERNEL("memory-each-call", NULL, launch, NULL);
