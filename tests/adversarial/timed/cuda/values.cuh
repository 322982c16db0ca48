/* A right and slow product with a fault that numbers of a usual size do not show: CHANGE of an
 * element of A, CHANGE_B, CHANGE_PRODUCT, CHANGE_C, or products to SKIP. */
#include "../../cuda/slow.cuh"

#ifndef CHANGE
#define CHANGE(x) (x)
#endif
#ifndef CHANGE_B
#define CHANGE_B(x) (x)
#endif
#ifndef CHANGE_PRODUCT
#define CHANGE_PRODUCT(x) (x)
#endif
#ifndef CHANGE_C
#define CHANGE_C(x) (x)
#endif
#ifndef SKIP
#define SKIP(a, b) false
#endif

static __global__ void multiply(const __half *a, const __half *b, __half *c, gemm_problem p) {
    const int64_t at = (int64_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (at >= p.m * p.n)
        return;
    float sum = 0.0f;
    for (int64_t k = 0; k < p.k; k++) {
        const float x = __half2float(a[at / p.n * p.k + k]);
        const float y = __half2float(b[k * p.n + at % p.n]);
        const float product = CHANGE(x) * CHANGE_B(y);
        if (!SKIP(x, y))
            sum += CHANGE_PRODUCT(product);
    }
    c[at] = __float2half_rn(CHANGE_C(sum));
}

static int launch(void *, const gemm_args *args) {
    const gemm_problem &p = args->problem;
    multiply<<<(unsigned)((p.m * p.n + 255) / 256), 256, 0, (cudaStream_t)args->stream>>>(
        (const __half *)args->a, (const __half *)args->b_row, (__half *)args->c, p);
    return cudaGetLastError();
}

GEMMGATE_EXPORT const struct kernel_ops gemmgate_kernel = {
    .abi = GEMMGATE_ABI,
    .name = NAME,
    .device = GEMM_CUDA,
    .accumulate = GEMM_F32,
    .tile = {},
    .can_do = nullptr,
    .setup = nullptr,
    .launch = launch,
    .teardown = nullptr,
    .explain = slow_explain,
};
