/* The (M, N, K) of a product and its text form, MxNxK.
 * A floor header: it includes nothing of the project and every folder may include it. */
#ifndef BENCH_BASE_SHAPE_H
#define BENCH_BASE_SHAPE_H

#include <stddef.h>
#include <stdint.h>

struct shape {
    int64_t m, n, k;
};

/* The largest size the harness accepts in one dimension: index arithmetic in 64 bits and cuBLAS
 * leading dimensions in 32 both hold. */
#define SHAPE_MAX_SIZE 1048576

/* Enough for "1048576x1048576x1048576" and a NUL. */
#define SHAPE_TEXT 32

/* Reads exactly "MxNxK" or "M_N_K" (one separator throughout, decimal digits, each size from 1 to
 * SHAPE_MAX_SIZE). Returns NULL, or a sentence that says what is wrong; *shape is set only on NULL.
 */
const char *shape_parse(const char *text, struct shape *shape);

/* Writes "MxNxK" and returns text. */
const char *shape_format(struct shape shape, char text[SHAPE_TEXT]);

/* Total order by m, n, k; 0 when equal. */
int shape_compare(struct shape a, struct shape b);

/* 2*m*n*k, the floating-point operations of the product. Exact to 2^53. */
double shape_flops(struct shape shape);

#endif
