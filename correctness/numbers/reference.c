#include "correctness/numbers/reference.h"

#include <limits.h>
#include <stdbool.h>
#include <stdlib.h>

#include "bench/base/error.h"
#include "bench/base/openblas.h"

_Static_assert(SHAPE_MAX_SIZE <= INT_MAX, "sizes and leading dimensions are int in CBLAS");

static bool is_size(int64_t size) {
    return size >= 1 && size <= SHAPE_MAX_SIZE;
}

static float *alloc_floats(int64_t rows, int64_t cols) {
    return malloc((size_t)rows * (size_t)cols * sizeof(float));
}

/* NULL where memory runs out. */
static float *multiply(enum element element, struct shape s, enum input_kind kind, uint64_t seed) {
    const uint16_t *table = input_table_for(element, kind, s.k);
    float *a = alloc_floats(s.m, s.k), *b = alloc_floats(s.k, s.n);
    float *c = a && b ? alloc_floats(s.m, s.n) : NULL;
    if (c) {
        input_fill_float(element, table, seed, INPUT_A, s.m, s.k, a);
        input_fill_float(element, table, seed, INPUT_B, s.k, s.n, b);
        openblas()->cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, (int)s.m, (int)s.n,
                                (int)s.k, 1.0f, a, (int)s.k, b, (int)s.n, 0.0f, c, (int)s.n);
    }
    free(b);
    free(a);
    return c;
}

float *reference_product(enum element element, struct shape shape, enum input_kind kind,
                         uint64_t seed) {
    char text[SHAPE_TEXT];
    if (!is_size(shape.m) || !is_size(shape.n) || !is_size(shape.k)) {
        error("reference product: sizes must be from 1 to %d", SHAPE_MAX_SIZE);
        return NULL;
    }
    if (!openblas())
        return NULL;
    float *c = multiply(element, shape, kind, seed);
    if (!c)
        error("reference product of %s: out of memory, %.3g GB are needed; leave the shape out or "
              "use a larger machine",
              shape_format(shape, text),
              4e-9 * ((double)shape.m * (double)shape.k + (double)shape.k * (double)shape.n +
                      (double)shape.m * (double)shape.n));
    return c;
}
