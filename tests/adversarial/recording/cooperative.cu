/* recording: carried out */
/* expect: ok */
/* A cooperative launch, whose blocks wait for each other between clearing C and writing it. */
#include <cooperative_groups.h>

#include "twin.cuh"

static __global__ void together(const __half *a, const __half *b, __half *c, gemm_problem p) {
    const int64_t first = (int64_t)blockIdx.x * blockDim.x + threadIdx.x;
    const int64_t step = (int64_t)gridDim.x * blockDim.x;
    for (int64_t at = first; at < p.m * p.n; at += step)
        c[at] = __float2half_rn(0.0f);
    cooperative_groups::this_grid().sync();
    for (int64_t at = first; at < p.m * p.n; at += step) {
        float sum = 0.0f;
        for (int64_t k = 0; k < p.k; k++)
            sum += __half2float(a[at / p.n * p.k + k]) * __half2float(b[k * p.n + at % p.n]);
        c[at] = __float2half_rn(sum);
    }
}

static int launch(void *, const gemm_args *args) {
    const void *a = args->a, *b = args->b_row;
    void *c = args->c;
    gemm_problem p = args->problem;
    void *parameters[] = {&a, &b, &c, &p};
    return cudaLaunchCooperativeKernel((const void *)together, dim3(64), dim3(256), parameters, 0,
                                       (cudaStream_t)args->stream);
}

KERNEL("cooperative", NULL, launch, NULL);
