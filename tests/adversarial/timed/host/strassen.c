/* expect: ok */
/* No fault: seven products of halves instead of eight, by Strassen's algorithm, with all sums in
 * binary32. Where A or B has an infinity, NaN comes out in two rows or columns. */
#include <stdlib.h>
#include <string.h>

#include "../../kernel.h"

/* Signs of the four quarters (11, 12, 21, 22) in the seven factors, and of the products in C. */
static const signed char of_a[7][4] = {{1, 0, 0, 1}, {0, 0, 1, 1},  {1, 0, 0, 0}, {0, 0, 0, 1},
                                       {1, 1, 0, 0}, {-1, 0, 1, 0}, {0, 1, 0, -1}};
static const signed char of_b[7][4] = {{1, 0, 0, 1}, {1, 0, 0, 0}, {0, 1, 0, -1}, {-1, 0, 1, 0},
                                       {0, 0, 0, 1}, {1, 1, 0, 0}, {0, 0, 1, 1}};
static const signed char of_c[7][4] = {{1, 0, 0, 1},  {0, 0, 1, -1}, {0, 1, 0, 1}, {1, 0, 1, 0},
                                       {-1, 1, 0, 0}, {0, 0, 0, 1},  {1, 0, 0, 0}};

static void add_quarters(const uint16_t *from, int64_t rows, int64_t cols,
                         const signed char sign[4], float *to) {
    memset(to, 0, (size_t)(rows * cols) * sizeof *to);
    for (int quarter = 0; quarter < 4; quarter++) {
        const uint16_t *at = from + quarter / 2 * rows * 2 * cols + quarter % 2 * cols;
        for (int64_t i = 0; i < rows && sign[quarter]; i++)
            for (int64_t j = 0; j < cols; j++)
                to[i * cols + j] += (float)sign[quarter] * half_widen(at[i * 2 * cols + j]);
    }
}

static void multiply(const float *a, const float *b, int64_t m, int64_t n, int64_t k, float *c) {
    memset(c, 0, (size_t)(m * n) * sizeof *c);
    for (int64_t i = 0; i < m; i++)
        for (int64_t l = 0; l < k; l++)
            for (int64_t j = 0; j < n; j++)
                c[i * n + j] += a[i * k + l] * b[l * n + j];
}

static int launch(void *state, const struct gemm_args *args) {
    const struct gemm_problem p = args->problem;
    const int64_t m = p.m / 2, n = p.n / 2, k = p.k / 2;
    float *a = malloc((size_t)(m * k + k * n + 5 * m * n) * sizeof *a), *b = a + m * k;
    float *product = b + k * n, *c = product + m * n;
    if (!a || p.m % 2 || p.n % 2 || p.k % 2) {
        free(a);
        return slow_product(state, args);
    }
    memset(c, 0, (size_t)(4 * m * n) * sizeof *c);
    for (int which = 0; which < 7; which++) {
        add_quarters(args->a, m, k, of_a[which], a);
        add_quarters(args->b_row, k, n, of_b[which], b);
        multiply(a, b, m, n, k, product);
        for (int quarter = 0; quarter < 4; quarter++)
            for (int64_t i = 0; i < m * n && of_c[which][quarter]; i++)
                c[quarter * m * n + i] += (float)of_c[which][quarter] * product[i];
    }
    for (int64_t i = 0; i < p.m; i++)
        for (int64_t j = 0; j < p.n; j++)
            ((uint16_t *)args->c)[i * p.n + j] =
                half_narrow(c[(i / m * 2 + j / n) * m * n + i % m * n + j % n]);
    free(a);
    return 0;
}

KERNEL("strassen", NULL, launch, NULL);
