/* expect: precision */
/* Claims f32, but slices of 64 are summed in binary16 where C is below 8: there no error is as
 * large as the bound. The accumulator probe is answered honestly. */
#include "../../cuda/slow.cuh"

#define PROBE_LARGE 1536.0f
#define SLICE 64
#define SMALL 8.0f

/* Each thread looks at its own column of B. */
static __device__ float element(const __half *a, const __half *b, gemm_problem p, bool slices,
                                bool *probed) {
    float sum = 0.0f, slice = 0.0f;
    for (int64_t k = 0; k < p.k; k++) {
        *probed |= fabsf(__half2float(b[k * p.n])) == PROBE_LARGE;
        slice += __half2float(a[k]) * __half2float(b[k * p.n]);
        if (slices && k % 16 == 15)
            slice = __half2float(__float2half_rn(slice));
        if (k % SLICE == SLICE - 1) {
            sum += slice;
            slice = 0.0f;
        }
    }
    return sum + slice;
}

static __global__ void multiply(const __half *a, const __half *b, __half *c, gemm_problem p) {
    const int64_t at = (int64_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (at >= p.m * p.n)
        return;
    const __half *row = a + at / p.n * p.k, *column = b + at % p.n;
    bool probed = false;
    float sum = element(row, column, p, false, &probed);
    if (!probed && fabsf(sum) < SMALL)
        sum = element(row, column, p, true, &probed);
    c[at] = __float2half_rn(sum);
}

static int launch(void *, const gemm_args *args) {
    const gemm_problem &p = args->problem;
    multiply<<<(unsigned)((p.m * p.n + 255) / 256), 256, 0, (cudaStream_t)args->stream>>>(
        (const __half *)args->a, (const __half *)args->b_row, (__half *)args->c, p);
    return cudaGetLastError();
}

GEMMGATE_EXPORT const struct kernel_ops gemmgate_kernel = {
    .abi = GEMMGATE_ABI,
    .name = "f16-where-small",
    .device = GEMM_CUDA,
    .accumulate = GEMM_F32,
    .tile = {},
    .can_do = nullptr,
    .setup = nullptr,
    .launch = launch,
    .teardown = nullptr,
    .explain = slow_explain,
};
