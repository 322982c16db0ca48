/* For tests on a GPU: a runner whose reference products are off by $WRONG_PRODUCT in one element.
 */
#include <stdlib.h>

#include <cuda_runtime_api.h>

#include "bench/device/cuda_kernels.h"

/* By the type of what it takes the place of: the linker compares none. */
__typeof__(device_cuda_product) __real_device_cuda_product, __wrap_device_cuda_product;

int __wrap_device_cuda_product(enum element element, struct shape shape, const uint16_t *a,
                               const uint16_t *b, float *c) {
    const char *wrong = getenv("WRONG_PRODUCT");
    float *at = c + shape.m * shape.n / 2, value;
    const int status = __real_device_cuda_product(element, shape, a, b, c);
    if (!wrong || status != cudaSuccess)
        return status;
    const cudaError_t read = cudaMemcpy(&value, at, sizeof value, cudaMemcpyDeviceToHost);
    value += (float)atof(wrong);
    return read == cudaSuccess ? (int)cudaMemcpy(at, &value, sizeof value, cudaMemcpyHostToDevice)
                               : (int)read;
}
