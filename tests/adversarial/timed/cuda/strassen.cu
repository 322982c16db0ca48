/* expect: ok */
/* No fault: seven products of halves instead of eight, by Strassen's algorithm, with all sums in
 * binary32. Where A or B has an infinity, NaN comes out in two rows or columns. */
#include "../../kernel.h"

/* Signs of the four quarters (11, 12, 21, 22) in the seven factors, and of the products in C. */
static __constant__ signed char of_a[7][4] = {{1, 0, 0, 1}, {0, 0, 1, 1}, {1, 0, 0, 0},
                                              {0, 0, 0, 1}, {1, 1, 0, 0}, {-1, 0, 1, 0},
                                              {0, 1, 0, -1}};
static __constant__ signed char of_b[7][4] = {{1, 0, 0, 1},  {1, 0, 0, 0}, {0, 1, 0, -1},
                                              {-1, 0, 1, 0}, {0, 0, 0, 1}, {1, 1, 0, 0},
                                              {0, 0, 1, 1}};
static __constant__ signed char of_c[7][4] = {{1, 0, 0, 1}, {0, 0, 1, -1}, {0, 1, 0, 1},
                                              {1, 0, 1, 0}, {-1, 1, 0, 0}, {0, 0, 0, 1},
                                              {1, 0, 0, 0}};

static __device__ float sum_of_quarters(const __half *from, int64_t row, int64_t col, int64_t rows,
                                        int64_t cols, const signed char *sign) {
    float sum = 0.0f;
    for (int quarter = 0; quarter < 4; quarter++)
        if (sign[quarter])
            sum += sign[quarter] *
                   __half2float(
                       from[(quarter / 2 * rows + row) * 2 * cols + quarter % 2 * cols + col]);
    return sum;
}

/* A thread has an element of each quarter of C. */
static __global__ void multiply(const __half *a, const __half *b, __half *c, int64_t m, int64_t n,
                                int64_t k) {
    const int64_t at = (int64_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (at >= m * n)
        return;
    float quarters[4] = {};
    for (int which = 0; which < 7; which++) {
        float product = 0.0f;
        for (int64_t l = 0; l < k; l++)
            product += sum_of_quarters(a, at / n, l, m, k, of_a[which]) *
                       sum_of_quarters(b, l, at % n, k, n, of_b[which]);
        for (int quarter = 0; quarter < 4; quarter++)
            if (of_c[which][quarter])
                quarters[quarter] += of_c[which][quarter] * product;
    }
    for (int quarter = 0; quarter < 4; quarter++)
        c[(quarter / 2 * m + at / n) * 2 * n + quarter % 2 * n + at % n] =
            __float2half_rn(quarters[quarter]);
}

static int launch(void *state, const gemm_args *args) {
    const gemm_problem &p = args->problem;
    if (p.m % 2 || p.n % 2 || p.k % 2)
        return slow_product(state, args);
    const int64_t m = p.m / 2, n = p.n / 2;
    multiply<<<(unsigned)((m * n + 255) / 256), 256, 0, (cudaStream_t)args->stream>>>(
        (const __half *)args->a, (const __half *)args->b_row, (__half *)args->c, m, n, p.k / 2);
    return cudaGetLastError();
}

KERNEL("strassen", NULL, launch, NULL);
