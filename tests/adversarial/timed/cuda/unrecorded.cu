/* expect: unrecorded|device-error */
/* Its first call fails unless the inputs are those of the first check: where its calls are recorded
 * there is nothing to see. Where it is timed in a fresh process it fails, too. */
#include "../../kernel.h"

static __global__ void insist(const __half *a) {
    const float value = __half2float(a[threadIdx.x]);
    if (value != 0.0f && value != 1.0f)
        __trap();
}

static int launch(void *state, const gemm_args *args) {
    static bool called;
    if (!called)
        insist<<<1, 32, 0, (cudaStream_t)args->stream>>>((const __half *)args->a);
    called = true;
    return slow_product(state, args);
}

KERNEL("unrecorded", NULL, launch, NULL);
