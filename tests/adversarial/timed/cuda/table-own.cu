/* expect: ok */
/* No fault: multiplies by a table of its own, of all numbers of binary16, which it makes anew
 * later. */
#include "../../kernel.h"
#include "../late.h"

static __device__ float number[65536];

static __global__ void make_table() {
    const unsigned bits = blockIdx.x * blockDim.x + threadIdx.x;
    number[bits] = __half2float(__ushort_as_half((unsigned short)bits));
}

static __global__ void multiply(const uint16_t *a, const uint16_t *b, __half *c, gemm_problem p) {
    const int64_t at = (int64_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (at >= p.m * p.n)
        return;
    float sum = 0.0f;
    for (int64_t k = 0; k < p.k; k++)
        sum += number[a[at / p.n * p.k + k]] * number[b[k * p.n + at % p.n]];
    c[at] = __float2half_rn(sum);
}

static int setup(const gemm_problem *, size_t, void **) {
    make_table<<<256, 256>>>();
    return cudaGetLastError();
}

static int launch(void *, const gemm_args *args) {
    const gemm_problem &p = args->problem;
    const cudaStream_t stream = (cudaStream_t)args->stream;
    if (is_late())
        make_table<<<256, 256, 0, stream>>>();
    multiply<<<(unsigned)((p.m * p.n + 255) / 256), 256, 0, stream>>>(
        (const uint16_t *)args->a, (const uint16_t *)args->b_row, (__half *)args->c, p);
    return cudaGetLastError();
}

KERNEL("table-own", setup, launch, NULL);
