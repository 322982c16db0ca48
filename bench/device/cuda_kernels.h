/* Device code of the CUDA device: filling, counting changes, looking, passing time, products, best
 * rates. C linkage; each returns a cudaError_t as int and enqueues on the legacy default stream. */
#ifndef BENCH_DEVICE_CUDA_KERNELS_H
#define BENCH_DEVICE_CUDA_KERNELS_H

#include <stdint.h>

#include "bench/device/device.h"
#include "timing/light.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The most fills in one launch. They are passed in its parameters, which have 4 KiB. */
#define FILL_BATCH 32

/* tables[kind] is a device pointer to INPUT_TABLE_SIZE elements. count <= FILL_BATCH. */
int device_cuda_fill(const struct fill *fills, int count, const uint16_t *const tables[]);

/* Adds to *changed (device memory) the stored elements that differ from what the fill writes. */
int device_cuda_count(const struct fill *fill, const uint16_t *const tables[],
                      unsigned long long *changed);

/* Reads so many bytes, whole groups of 16 from a multiple of 16 on, each by so many
 * multiprocessors; *sink (device memory, 8 bytes) is written as good as never. */
int device_cuda_read(const void *from, int64_t bytes, int times, unsigned long long *sink);

/* Adds what is seen to *seen (device memory), which is all zero before it. */
int device_cuda_look(const struct look *look, struct seen *seen);

/* As struct device_ops's mask, with the key that is there, in the device's memory. */
int device_cuda_mask(uint16_t *at, int64_t elements, const volatile uint64_t *key);

/* One thread that ends when the GPU's nanosecond clock has moved on by this much. It waits for
 * nothing else, so a host thread that waits for it cannot block it. */
int device_cuda_delay(int64_t nanoseconds);

/* One thread that ends as soon as *let_go, in host memory that the device can address, is the
 * ticket, or after this long. */
int device_cuda_hold(const volatile uint32_t *let_go, uint32_t ticket, int64_t nanoseconds);

/* The reference product, as struct device_ops's multiply: in FP32 on the plain cores. It shares no
 * code with the libraries under judgement, and needs neither their workspace nor their set-up. */
int device_cuda_product(enum element element, struct shape shape, const uint16_t *a,
                        const uint16_t *b, float *c);

#ifdef __cplusplus
}
#endif
#endif
