/* expect: precision|deviates */
/* Claims f32, but each sum of 64 of k is rounded to binary16, which is finer than C. */
#include "brain.cuh"

struct steps : honest {
    static constexpr int64_t slice = 64;
    static __device__ float sum(float value) {
        return __half2float(__float2half_rn(value));
    }
};

BRAIN_KERNEL("half-partials", steps);
