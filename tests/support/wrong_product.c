/* For tests on a GPU: a runner whose reference products are off by $WRONG_PRODUCT in one element.
 */
#include <stdlib.h>

#include <cuda_runtime_api.h>

#include "bench/device/cuda_product.h"

int __real_device_cuda_product(struct shape shape, const uint16_t *a, const uint16_t *b, float *c);
int __wrap_device_cuda_product(struct shape shape, const uint16_t *a, const uint16_t *b, float *c);

int __wrap_device_cuda_product(struct shape shape, const uint16_t *a, const uint16_t *b, float *c) {
    const char *wrong = getenv("WRONG_PRODUCT");
    float *at = c + shape.m * shape.n / 2, element;
    const int status = __real_device_cuda_product(shape, a, b, c);
    if (!wrong || status != cudaSuccess)
        return status;
    const cudaError_t read = cudaMemcpy(&element, at, sizeof element, cudaMemcpyDeviceToHost);
    element += (float)atof(wrong);
    return read == cudaSuccess
               ? (int)cudaMemcpy(at, &element, sizeof element, cudaMemcpyHostToDevice)
               : (int)read;
}
