/* recording: no: it works on another stream than the one it is given */
/* expect: unrecorded */
/* The product on a stream of its own, which waits for the given one and is waited for by it. */
#include "twin.cuh"

static cudaStream_t own;
static cudaEvent_t begin, end;

static int setup(const gemm_problem *, size_t, void **) {
    cudaError_t status = cudaStreamCreateWithFlags(&own, cudaStreamNonBlocking);
    if (status == cudaSuccess)
        status = cudaEventCreateWithFlags(&begin, cudaEventDisableTiming);
    return status == cudaSuccess ? cudaEventCreateWithFlags(&end, cudaEventDisableTiming) : status;
}

static int launch(void *, const gemm_args *args) {
    const cudaStream_t given = (cudaStream_t)args->stream;
    gemm_args mine = *args;
    mine.stream = own;
    cudaError_t status = cudaEventRecord(begin, given);
    if (status == cudaSuccess)
        status = cudaStreamWaitEvent(own, begin, 0);
    if (status == cudaSuccess)
        status = (cudaError_t)slow_product(nullptr, &mine);
    if (status == cudaSuccess)
        status = cudaEventRecord(end, own);
    return status == cudaSuccess ? cudaStreamWaitEvent(given, end, 0) : status;
}

KERNEL("stream-joined", setup, launch, NULL);
