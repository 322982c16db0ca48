/* A write to an address that is nobody's: the context is lost. expect: device-error */
#include "../kernel.h"

static __global__ void write(uint16_t *nowhere) {
    *nowhere = 0;
}

static int launch(void *, const gemm_args *args) {
    write<<<1, 1, 0, (cudaStream_t)args->stream>>>((uint16_t *)16);
    return cudaGetLastError();
}

KERNEL("illegal-address", NULL, launch, NULL);
