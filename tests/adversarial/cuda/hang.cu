/* The kernel spins for ten minutes, long past its limit. expect: timed-out */
#include "../kernel.h"

static __device__ unsigned long long nanoseconds() {
    unsigned long long now;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
    return now;
}

static __global__ void spin() {
    const unsigned long long end = nanoseconds() + 600ull * 1000 * 1000 * 1000;
    while (nanoseconds() < end)
        ;
}

static int launch(void *, const gemm_args *args) {
    spin<<<1, 1, 0, (cudaStream_t)args->stream>>>();
    return cudaGetLastError();
}

KERNEL("hang", NULL, launch, NULL);
