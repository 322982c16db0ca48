#include "correctness/numbers/reference.h"

#include <limits.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "bench/base/error.h"
#include "bench/base/openblas.h"
#include "bench/base/shape.h"
#include "correctness/numbers/input.h"

_Static_assert(SHAPE_MAX_SIZE <= INT_MAX, "sizes and leading dimensions are int in CBLAS");

/* The products of one shape and element. */
static struct {
    enum element element;
    struct shape shape;
    struct {
        float *c; /* NULL: not made yet */
        uint64_t seed;
    } product[INPUT_KINDS];
} last;

void reference_free(void) {
    for (int kind = 0; kind < INPUT_KINDS; kind++) {
        free(last.product[kind].c);
        last.product[kind].c = NULL;
    }
}

static int is_size(int64_t size) {
    return size >= 1 && size <= SHAPE_MAX_SIZE;
}

static float *alloc_floats(int64_t rows, int64_t cols) {
    return malloc((size_t)rows * (size_t)cols * sizeof(float));
}

static int multiply(enum element element, struct shape s, enum input_kind kind, uint64_t seed,
                    float *c) {
    const uint16_t *table = input_table_for(element, kind, s.k);
    float *a = alloc_floats(s.m, s.k);
    float *b = alloc_floats(s.k, s.n);
    const int enough = a && b;
    if (enough) {
        input_fill_float(element, table, seed, INPUT_A, s.m, s.k, a);
        input_fill_float(element, table, seed, INPUT_B, s.k, s.n, b);
        openblas()->cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, (int)s.m, (int)s.n,
                                (int)s.k, 1.0f, a, (int)s.k, b, (int)s.n, 0.0f, c, (int)s.n);
    }
    free(b);
    free(a);
    return enough ? 0 : -1;
}

const float *reference_product(enum element element, struct shape shape, enum input_kind kind,
                               uint64_t seed) {
    char text[SHAPE_TEXT];
    if (!is_size(shape.m) || !is_size(shape.n) || !is_size(shape.k)) {
        error("reference product: sizes must be from 1 to %d", SHAPE_MAX_SIZE);
        return NULL;
    }
    if (!openblas())
        return NULL;
    if (shape_compare(shape, last.shape) != 0 || element != last.element)
        reference_free();
    last.shape = shape;
    last.element = element;

    float **c = &last.product[kind].c;
    if (*c && last.product[kind].seed == seed)
        return *c;
    if (!*c)
        *c = alloc_floats(shape.m, shape.n);
    last.product[kind].seed = seed;
    if (*c && multiply(element, shape, kind, seed, *c) == 0)
        return *c;
    free(*c);
    *c = NULL;
    error(
        "reference product of %s: out of memory, %.3g GB are needed; leave the shape out or use a "
        "larger machine",
        shape_format(shape, text),
        4e-9 * ((double)shape.m * (double)shape.k + (double)shape.k * (double)shape.n +
                (double)shape.m * (double)shape.n));
    return NULL;
}
