/* What a card can do at best: the rates behind timing/light.h. */
#ifndef BENCH_DEVICE_CUDA_PEAK_H
#define BENCH_DEVICE_CUDA_PEAK_H

#include "timing/light.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Measures the rates on the current device, whose compute capability is sm (90 for 9.0), with
 * `units` multiprocessors and l2_size bytes of L2; at most about 0.3 s and 1 GiB of device memory,
 * freed again. Each rate is the best of several repetitions. Returns a cudaError_t, which the
 * caller reports. A rate not reached is 0: cudaErrorNotSupported where the code compiled for this
 * card lacks its fastest instruction, with only f16_flops not measured. */
int device_cuda_peak(int sm, int units, int64_t l2_size, struct light_rates *rates);

#ifdef __cplusplus
}
#endif

#endif
