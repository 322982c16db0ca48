/* A right and slow product of bfloat16, into which each kernel of this folder plants one fault. */
#ifndef BRAIN_CUH
#define BRAIN_CUH

#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_runtime.h>
#include <gemmgate.h>

/* One thread an element of C. Steps has `operand`, what is made of an element before it is
 * multiplied, `sum`, of each sum of `slice` products before it is added to the others, and
 * `result`. */
template <class Steps>
static __global__ void brain_kernel(const __nv_bfloat16 *a, const __nv_bfloat16 *b,
                                    __nv_bfloat16 *c, gemm_problem p) {
    const int64_t at = (int64_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (at >= p.m * p.n)
        return;
    float all = 0.0f;
    for (int64_t first = 0; first < p.k; first += Steps::slice) {
        const int64_t end = first + Steps::slice < p.k ? first + Steps::slice : p.k;
        float sum = 0.0f;
        for (int64_t k = first; k < end; k++)
            sum += Steps::operand(a[at / p.n * p.k + k]) * Steps::operand(b[k * p.n + at % p.n]);
        all += Steps::sum(sum);
    }
    c[at] = Steps::result(all);
}

/* Without a fault. */
struct honest {
    static constexpr int64_t slice = 1 << 30;
    static __device__ float operand(__nv_bfloat16 element) {
        return __bfloat162float(element);
    }
    static __device__ float sum(float value) {
        return value;
    }
    static __device__ __nv_bfloat16 result(float value) {
        return __float2bfloat16_rn(value);
    }
};

template <class Steps> static inline int brain_launch(void *, const gemm_args *args) {
    const gemm_problem &p = args->problem;
    brain_kernel<Steps>
        <<<(unsigned)((p.m * p.n + 255) / 256), 256, 0, (cudaStream_t)args->stream>>>(
            (const __nv_bfloat16 *)args->a, (const __nv_bfloat16 *)args->b_row,
            (__nv_bfloat16 *)args->c, p);
    return cudaGetLastError();
}

static inline const char *brain_explain(int status) {
    return cudaGetErrorString((cudaError_t)status);
}

#define BRAIN_KERNEL(called, steps)                                                                \
    GEMMGATE_EXPORT const struct kernel_ops                                                        \
        gemmgate_kernel = {GEMMGATE_ABI, called,        GEMM_CUDA,        GEMM_F32,                \
                           {0, 0, 0},    nullptr,       nullptr,          brain_launch<steps>,     \
                           nullptr,      brain_explain, GEMM_ELEMENT_BF16}

#endif
