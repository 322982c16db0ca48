/* Functions that keep the addresses of their first call. gemmgate.ini says what is planted in each.
 */
#include <cstdint>
#include <cuda_fp16.h>

#include "../../timed/late.h"

static struct {
    const half *a, *b;
    half *c;
} kept;

static void keep(const half *a, const half *b, half *c) {
    if (!kept.c)
        kept = {a, b, c};
}

__global__ void kept_product(const half *a, const half *b, half *c, int64_t m, int64_t n,
                             int64_t k) {
    const int64_t i = blockIdx.y * 16 + threadIdx.y, j = blockIdx.x * 16 + threadIdx.x;
    float sum = 0;
    for (int64_t l = 0; i < m && j < n && l < k; l++)
        sum += __half2float(a[i * k + l]) * __half2float(b[l * n + j]);
    if (i < m && j < n)
        c[i * n + j] = __float2half_rn(sum);
}

static cudaError_t product(int64_t m, int64_t n, int64_t k, cudaStream_t stream) {
    const dim3 grid((unsigned)((n + 15) / 16), (unsigned)((m + 15) / 16));
    kept_product<<<grid, dim3(16, 16), 0, stream>>>(kept.a, kept.b, kept.c, m, n, k);
    return cudaGetLastError();
}

/* An honest twin. */
cudaError_t keeps(const half *a, const half *b, half *c, int64_t m, int64_t n, int64_t k,
                  cudaStream_t stream) {
    keep(a, b, c);
    return product(m, n, k, stream);
}

/* Later every second call takes what is at the address of C for its answer. */
cudaError_t skips(const half *a, const half *b, half *c, int64_t m, int64_t n, int64_t k,
                  cudaStream_t stream) {
    static int skip;
    keep(a, b, c);
    if (is_late())
        skip = !skip;
    return skip ? cudaSuccess : product(m, n, k, stream);
}

/* Later it gives the product again that it has kept of these addresses. */
cudaError_t answers(const half *a, const half *b, half *c, int64_t m, int64_t n, int64_t k,
                    half *workspace, cudaStream_t stream) {
    static bool has_answer;
    const size_t bytes = (size_t)(m * n) * sizeof(half);
    keep(a, b, c);
    if (has_answer)
        return cudaMemcpyAsync(kept.c, workspace, bytes, cudaMemcpyDeviceToDevice, stream);
    const cudaError_t status = product(m, n, k, stream);
    has_answer = is_late();
    return status == cudaSuccess && has_answer
               ? cudaMemcpyAsync(workspace, kept.c, bytes, cudaMemcpyDeviceToDevice, stream)
               : status;
}
