/* replay: replayed, on streams of its own, side by side */
/* expect: ok */
/* Half of the rows on the given stream and half on one of its own, which begins and ends with it: a
 * replay has one half behind the other. */
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
    gemm_args first = *args, second = *args;
    first.problem.m /= 2;
    second.problem.m -= first.problem.m;
    second.a = (const __half *)args->a + first.problem.m * args->problem.k;
    second.c = (__half *)args->c + first.problem.m * args->problem.n;
    second.stream = own;
    cudaError_t status = cudaEventRecord(begin, given);
    if (status == cudaSuccess)
        status = cudaStreamWaitEvent(own, begin, 0);
    if (status == cudaSuccess)
        status = (cudaError_t)slow_product(nullptr, &second);
    if (status == cudaSuccess)
        status = cudaEventRecord(end, own);
    if (status == cudaSuccess)
        status = (cudaError_t)slow_product(nullptr, &first);
    return status == cudaSuccess ? cudaStreamWaitEvent(given, end, 0) : status;
}

KERNEL("streams-side-by-side", setup, launch, NULL);
