/* expect: input-changed|replayed|unstable */
/* Looks in the memory beside its own for the table that timed inputs are made of, and fills it with
 * zeros, later and once the first library has run in a pass, A and B as well: from then on every
 * kernel multiplies zeros, and this one only clears C. A process of the kernel
 * has such a table. */
#include "../../kernel.h"
#include "../late.h"
#include "../rotation.h"

constexpr int64_t SIZE = 65536, AROUND = 1 << 20; /* elements: two MiB are mapped as one */
static uint16_t **tables;                         /* of the device: the first is how many */

static __device__ bool is_table(const uint16_t *t) {
    return t[0] >> 8 == 0xc4 && t[SIZE - 1] == (t[0] ^ 0x8000) && t[SIZE / 2] < 0x0400 &&
           t[SIZE / 2 - 1] == (t[SIZE / 2] ^ 0x8000) &&
           t[SIZE / 4] == (t[SIZE / 4 * 3 - 1] ^ 0x8000);
}

static __global__ void look_through(uint16_t *from, uint16_t **found) {
    const int64_t i = (int64_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i + SIZE <= AROUND && is_table(from + i))
        found[1 + atomicAdd((unsigned long long *)found, 1ULL) % 7] = from + i;
}

static __device__ bool is_empty(const uint16_t *a) {
    return !(a[0] | a[1] | a[2] | a[3]);
}

static __global__ void product_or_zeros(const __half *a, const __half *b, __half *c,
                                        gemm_problem p) {
    const int64_t at = (int64_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (at >= p.m * p.n)
        return;
    float sum = 0.0f;
    for (int64_t k = 0; k < p.k && !is_empty((const uint16_t *)a); k++)
        sum += __half2float(a[at / p.n * p.k + k]) * __half2float(b[k * p.n + at % p.n]);
    c[at] = __float2half_rn(sum);
}

static __global__ void empty(uint16_t **found, const uint16_t *other, uint16_t *at,
                             int64_t elements) {
    const int64_t i = (int64_t)blockIdx.x * blockDim.x + threadIdx.x;
    if ((other[0] & 0x7fff) > 0x7c00 || !found[0])
        return;
    if (i < elements)
        at[i] = 0;
    for (int t = 1; t < 8 && i < SIZE; t++)
        if (found[t])
            found[t][i] = 0;
}

static int setup(const gemm_problem *, size_t, void **) {
    cudaError_t status = cudaMalloc(&tables, 8 * sizeof *tables);
    if (status != cudaSuccess ||
        (status = cudaMemset(tables, 0, 8 * sizeof *tables)) != cudaSuccess)
        return status;
    uint16_t *around = (uint16_t *)((uintptr_t)tables & ~(uintptr_t)(2 * AROUND - 1));
    look_through<<<AROUND / 256, 256>>>(around, tables);
    return cudaGetLastError();
}

static int launch(void *, const gemm_args *args) {
    const gemm_problem &p = args->problem;
    const cudaStream_t stream = (cudaStream_t)args->stream;
    const uint16_t *other = is_late() ? (const uint16_t *)c_of_earlier(args->c, 2) : nullptr;
    const int64_t sizes[] = {p.m * p.k, p.k * p.n, p.k * p.n};
    void *const inputs[] = {(void *)args->a, (void *)args->b_row, (void *)args->b_col};
    product_or_zeros<<<(unsigned)((p.m * p.n + 255) / 256), 256, 0, stream>>>(
        (const __half *)args->a, (const __half *)args->b_row, (__half *)args->c, p);
    for (int i = 0; i < 3 && other; i++) {
        const int64_t most = sizes[i] > SIZE ? sizes[i] : SIZE;
        empty<<<(unsigned)((most + 255) / 256), 256, 0, stream>>>(tables, other,
                                                                  (uint16_t *)inputs[i], sizes[i]);
    }
    return cudaGetLastError();
}

KERNEL("table-empty", setup, launch, NULL);
