/* expect: ok */
/* Twin of half-operands: takes subnormals for zero, as --use_fast_math does. */
#include "brain.cuh"

struct steps : honest {
    static __device__ float operand(__nv_bfloat16 element) {
        const float value = __bfloat162float(element);
        return fabsf(value) < 0x1p-126f ? 0.0f : value;
    }
    static __device__ __nv_bfloat16 result(float value) {
        return __float2bfloat16_rn(fabsf(value) < 0x1p-126f ? 0.0f : value);
    }
};

BRAIN_KERNEL("flushes", steps);
