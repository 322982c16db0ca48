/* For tests: device memory of the fake GPU (fake_gpu.c), which is the host's. Once it is fixed it
 * lies at the same addresses in every process, as in bench/device/fixed_memory.h. */
#ifndef TESTS_SUPPORT_FAKE_MEMORY_H
#define TESTS_SUPPORT_FAKE_MEMORY_H

#include "bench/device/device.h"

/* Has the device serve memory from here. */
void fake_memory_serve(struct device_ops *device);

/* Where fixed memory begins; 0 before it is fixed. Its first half serves the harness. */
#define FAKE_MEMORY_BYTES (UINT64_C(1) << 36)
uint64_t fake_memory_base(void);

/* While a recording is carried out: what is sealed cannot be written. On a GPU a store to it is a
 * fault that ends the context, and here one that ends the process. Returns what was before. */
bool fake_memory_lock(bool locked);

#endif
