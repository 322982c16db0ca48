/* expect: ok */
/* No fault: its kernel may begin before the one in front has ended, and waits for it. */
#include "dependent.cuh"

static __global__ void multiply(const __half *a, const __half *b, __half *c, gemm_problem p) {
    const int64_t at = (int64_t)blockIdx.x * blockDim.x + threadIdx.x;
    await_previous();
    if (at < p.m * p.n) {
        float sum = 0.0f;
        for (int64_t k = 0; k < p.k; k++)
            sum += __half2float(a[at / p.n * p.k + k]) * __half2float(b[k * p.n + at % p.n]);
        c[at] = __float2half_rn(sum);
    }
    let_next_begin();
}

static int launch(void *, const gemm_args *args) {
    const gemm_problem &p = args->problem;
    return launch_dependent(multiply, (unsigned)((p.m * p.n + 255) / 256), 256,
                            (cudaStream_t)args->stream, (const __half *)args->a,
                            (const __half *)args->b_row, (__half *)args->c, p);
}

KERNEL("dependent", NULL, launch, NULL);
