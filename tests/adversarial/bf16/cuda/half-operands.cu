/* expect: values */
/* Multiplies in binary16, which holds standard normals of bfloat16 but not its range. */
#include "brain.cuh"

struct steps : honest {
    static __device__ float operand(__nv_bfloat16 element) {
        return __half2float(__float2half_rn(__bfloat162float(element)));
    }
};

BRAIN_KERNEL("half-operands", steps);
