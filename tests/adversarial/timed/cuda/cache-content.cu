/* expect: replayed|unstable */
/* Later C comes from a table by a hash of one element of A and one of B, a few bits of each, all of
 * it on the device. */
#include "../../kernel.h"
#include "../late.h"

#define SLOTS 64

static __device__ bool filled[SLOTS];

static __device__ int slot_of(const __half *a, const __half *b) {
    return ((__half_as_ushort(*a) >> 10) * 5 + (__half_as_ushort(*b) >> 10)) % SLOTS;
}

static __global__ void multiply(const __half *a, const __half *b, __half *c, __half *table,
                                gemm_problem p, bool late) {
    const int64_t at = (int64_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (at >= p.m * p.n)
        return;
    __half *kept = table + slot_of(a, b) * p.m * p.n + at;
    if (!late || !filled[slot_of(a, b)]) {
        float sum = 0.0f;
        for (int64_t k = 0; k < p.k; k++)
            sum += __half2float(a[at / p.n * p.k + k]) * __half2float(b[k * p.n + at % p.n]);
        *kept = __float2half_rn(sum);
    }
    c[at] = *kept;
}

static __global__ void mark(const __half *a, const __half *b) {
    filled[slot_of(a, b)] = true;
}

static int setup(const gemm_problem *problem, size_t, void **state) {
    return cudaMalloc(state, SLOTS * problem->m * problem->n * sizeof(__half));
}

static int launch(void *state, const gemm_args *args) {
    const gemm_problem &p = args->problem;
    const __half *a = (const __half *)args->a, *b = (const __half *)args->b_row;
    const cudaStream_t stream = (cudaStream_t)args->stream;
    multiply<<<(unsigned)((p.m * p.n + 255) / 256), 256, 0, stream>>>(
        a, b, (__half *)args->c, (__half *)state, p, is_late());
    mark<<<1, 1, 0, stream>>>(a, b);
    return cudaGetLastError();
}

KERNEL("cache-content", setup, launch, NULL);
