/* Device code of the reference product. Its maker is a kernel of our own, in FP32 on the plain
 * cores: it shares no code with the libraries under judgement, and needs neither their workspace
 * nor their set-up. */
#ifndef BENCH_DEVICE_CUDA_PRODUCT_H
#define BENCH_DEVICE_CUDA_PRODUCT_H

#include <stdint.h>

#include "bench/base/element.h"
#include "bench/base/shape.h"

#ifdef __cplusplus
extern "C" {
#endif

/* As struct device_ops's multiply. Returns a cudaError_t as int. */
int device_cuda_product(enum element element, struct shape shape, const uint16_t *a,
                        const uint16_t *b, float *c);

#ifdef __cplusplus
}
#endif
#endif
