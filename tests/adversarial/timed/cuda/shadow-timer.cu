/* Defines the harness's timer, by which every kernel takes a nanosecond. expect: unrecorded */
#include "../../kernel.h"

GEMMGATE_EXPORT cudaError_t cudaEventElapsedTime(float *milliseconds, cudaEvent_t, cudaEvent_t) {
    *milliseconds = 1e-6f;
    return cudaSuccess;
}

KERNEL("shadow-timer", NULL, slow_product, NULL);
