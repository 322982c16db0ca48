/* expect: escaped|unrecorded */
/* As own-stream, but made by the driver's own function, which only a warning shows. */
#include "driver.cuh"
#include "shaped.cuh"

static cudaStream_t own;

static int setup(const gemm_problem *, size_t, void **) {
    int (*create)(cudaStream_t *, unsigned) = nullptr;
    const cudaError_t status = driver_function("cuStreamCreate", &create);
    return status == cudaSuccess ? create(&own, 1) : (int)status; /* CU_STREAM_NON_BLOCKING */
}

static int launch(void *, const gemm_args *args) {
    return shaped_product(args, 256, own);
}

KERNEL("own-stream-quiet", setup, launch, NULL);
