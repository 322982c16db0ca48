/* replay: replayed, on streams of its own; natively it is many times as fast, */
/* and on the stage a call ends with the work of that stream. expect: ok */
/* The product on a stream of its own that nobody waits for. */
#include "twin.cuh"

static cudaStream_t own;

static int setup(const gemm_problem *, size_t, void **) {
    return cudaStreamCreateWithFlags(&own, cudaStreamNonBlocking);
}

static int launch(void *, const gemm_args *args) {
    gemm_args mine = *args;
    mine.stream = own;
    return slow_product(nullptr, &mine);
}

KERNEL("stream-own", setup, launch, NULL);
