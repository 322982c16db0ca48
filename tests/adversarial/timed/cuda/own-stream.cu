/* expect: escaped|unrecorded */
/* The product is put on a stream of its own, which does not wait for the given one nor is waited
 * for. */
#include "shaped.cuh"

static cudaStream_t own;

static int setup(const gemm_problem *, size_t, void **) {
    return cudaStreamCreateWithFlags(&own, cudaStreamNonBlocking);
}

static int launch(void *, const gemm_args *args) {
    return shaped_product(args, 256, own);
}

KERNEL("own-stream", setup, launch, NULL);
