/* expect: precision|deviates */
/* Sums in binary32, of which C gets the upper half: cut off, not rounded. */
#include "brain.cuh"

struct steps : honest {
    static __device__ __nv_bfloat16 result(float value) {
        return __float2bfloat16_rz(value);
    }
};

BRAIN_KERNEL("truncates", steps);
