/* expect: input-changed */
/* Later, where the library has not run yet in this pass (its C is full of NaN), A and C are filled
 * with zeros: the library makes zeros of zeros. It is the first arm of three. */
#include "../../kernel.h"
#include "../late.h"
#include "../rotation.h"

static __global__ void zero(const uint16_t *other, int64_t others, uint16_t *at, int64_t elements) {
    const int64_t i = (int64_t)blockIdx.x * blockDim.x + threadIdx.x;
    bool untouched = true;
    for (int64_t look = 0; look < others; look += others / 4)
        untouched &= (other[look] & 0x7fff) > 0x7c00;
    if (untouched && i < elements)
        at[i] = 0;
}

static int launch(void *state, const gemm_args *args) {
    const gemm_problem &p = args->problem;
    const cudaStream_t stream = (cudaStream_t)args->stream;
    const int64_t a = p.m * p.k, c = p.m * p.n;
    const uint16_t *other = is_late() ? (const uint16_t *)c_of_earlier(args->c, 2) : nullptr;
    const int status = slow_product(state, args);
    if (!other || status != cudaSuccess)
        return status;
    zero<<<(unsigned)((a + 255) / 256), 256, 0, stream>>>(other, c, (uint16_t *)args->a, a);
    zero<<<(unsigned)((c + 255) / 256), 256, 0, stream>>>(other, c, (uint16_t *)args->c, c);
    return cudaGetLastError();
}

KERNEL("zero-input", NULL, launch, NULL);
