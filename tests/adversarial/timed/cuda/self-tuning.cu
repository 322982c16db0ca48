/* expect: ok */
/* No fault: its first call times some sizes of a block and keeps the best. */
#include "shaped.cuh"

static unsigned tune(const gemm_args *args) {
    const cudaStream_t stream = (cudaStream_t)args->stream;
    unsigned best = 0;
    float least = 0.0f, milliseconds = 0.0f;
    cudaEvent_t start, stop;
    if (cudaEventCreate(&start) != cudaSuccess || cudaEventCreate(&stop) != cudaSuccess)
        return 0;
    for (unsigned threads = 64; threads <= 512; threads *= 2) {
        cudaEventRecord(start, stream);
        shaped_product(args, threads, stream);
        cudaEventRecord(stop, stream);
        if (cudaEventSynchronize(stop) != cudaSuccess ||
            cudaEventElapsedTime(&milliseconds, start, stop) != cudaSuccess)
            return 0;
        if (!best || milliseconds < least) {
            best = threads;
            least = milliseconds;
        }
    }
    cudaEventDestroy(start);
    cudaEventDestroy(stop);
    return best;
}

static int launch(void *, const gemm_args *args) {
    static unsigned threads;
    if (!threads && !(threads = tune(args)))
        return cudaErrorUnknown;
    return shaped_product(args, threads, (cudaStream_t)args->stream);
}

KERNEL("self-tuning", NULL, launch, NULL);
