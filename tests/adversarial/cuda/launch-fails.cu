/* An invalid launch configuration, which launch reports. expect: launch-failed */
#include "../kernel.h"

static __global__ void nothing() {
}

static int launch(void *, const gemm_args *args) {
    nothing<<<1, 4096, 0, (cudaStream_t)args->stream>>>();
    return cudaGetLastError();
}

KERNEL("launch-fails", NULL, launch, NULL);
