/* A product of which the file says how an element of C is made: its function `element`. */
#ifndef EACH_H
#define EACH_H

#include "kernel.h"

/* told: what launch has to say to `element`. */
struct product {
    const binary16 *a, *b, *b_col;
    binary16 *c;
    struct gemm_problem p;
    int64_t told;
};

static ON_DEVICE void element(struct product x, int64_t i, int64_t j);

/* The sum over k from `first` to before `end`. */
static inline ON_DEVICE float dot(struct product x, int64_t i, int64_t j, int64_t first,
                                  int64_t end) {
    float sum = 0.0f;
    for (int64_t k = first; k < end; k++)
        sum += widen16(x.a[i * x.p.k + k]) * widen16(x.b[k * x.p.n + j]);
    return sum;
}

static inline ON_DEVICE void put(struct product x, int64_t i, int64_t j, float value) {
    x.c[i * x.p.n + j] = narrow16(value);
}

/* `value` in binary16. */
static inline ON_DEVICE float through_half(float value) {
    return widen16(narrow16(value));
}

#ifdef __CUDACC__
static __global__ void each_kernel(struct product x) {
    const int64_t at = (int64_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (at < x.p.m * x.p.n)
        element(x, at / x.p.n, at % x.p.n);
}
#endif

/* Returns a status, as launch does. */
static inline int each_element(const struct gemm_args *args, int64_t told) {
    const struct product x = {(const binary16 *)args->a,
                              (const binary16 *)args->b_row,
                              (const binary16 *)args->b_col,
                              (binary16 *)args->c,
                              args->problem,
                              told};
#ifdef __CUDACC__
    each_kernel<<<(unsigned)((x.p.m * x.p.n + 255) / 256), 256, 0, (cudaStream_t)args->stream>>>(x);
    return cudaGetLastError();
#else
    for (int64_t i = 0; i < x.p.m; i++)
        for (int64_t j = 0; j < x.p.n; j++)
            element(x, i, j);
    return 0;
#endif
}

/* The launch of a kernel that has nothing to say. */
static inline int launch_each(void *state, const struct gemm_args *args) {
    (void)state;
    return each_element(args, 0);
}

#endif
