/* expect: precision|deviates */
/* Claims f32, but each sum of 64 of k is rounded to bfloat16. */
#include "brain.cuh"

struct steps : honest {
    static constexpr int64_t slice = 64;
    static __device__ float sum(float value) {
        return __bfloat162float(__float2bfloat16_rn(value));
    }
};

BRAIN_KERNEL("brain-partials", steps);
