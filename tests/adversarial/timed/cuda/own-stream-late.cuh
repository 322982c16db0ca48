/* After HONEST_CALLS calls the product is on a stream of its own. The given stream waits for it, so
 * that C is right when it is looked at. */
#include "../late.h"
#include "shaped.cuh"

static cudaStream_t own;
static cudaEvent_t made;

static int setup(const gemm_problem *, size_t, void **) {
    const cudaError_t status = cudaEventCreateWithFlags(&made, cudaEventDisableTiming);
    return status == cudaSuccess ? cudaStreamCreateWithFlags(&own, cudaStreamNonBlocking) : status;
}

static int launch(void *, const gemm_args *args) {
    const cudaStream_t given = (cudaStream_t)args->stream;
    if (!is_late())
        return shaped_product(args, 256, given);
#ifdef LATE_TOO
    LATE_TOO();
#endif
    cudaError_t status = cudaEventRecord(made, given);
    if (status == cudaSuccess)
        status = cudaStreamWaitEvent(own, made, 0);
    if (status == cudaSuccess)
        status = (cudaError_t)shaped_product(args, 256, own);
    if (status == cudaSuccess)
        status = cudaEventRecord(made, own);
    return status == cudaSuccess ? cudaStreamWaitEvent(given, made, 0) : status;
}

KERNEL(NAME, setup, launch, NULL);
