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

static struct {
    enum element element;
    struct shape shape;
    struct {
        float *c;    /* kept from shape to shape: memory that is new costs more than the product */
        size_t room; /* in bytes */
        bool made;
        uint64_t seed;
    } product[INPUT_KINDS];
} last;

static void free_product(int kind) {
    free(last.product[kind].c);
    last.product[kind].c = NULL;
    last.product[kind].room = 0;
    last.product[kind].made = false;
}

void reference_free(void) {
    for (int kind = 0; kind < INPUT_KINDS; kind++)
        free_product(kind);
}

/* Room for the product, whatever is in it. */
static float *make_room(int kind, struct shape s) {
    const size_t bytes = (size_t)s.m * (size_t)s.n * sizeof(float);
    if (last.product[kind].room < bytes) {
        free_product(kind);
        if ((last.product[kind].c = malloc(bytes)))
            last.product[kind].room = bytes;
    }
    return last.product[kind].c;
}

static int is_size(int64_t size) {
    return size >= 1 && size <= SHAPE_MAX_SIZE;
}

static float *alloc_floats(int64_t rows, int64_t cols) {
    return malloc((size_t)rows * (size_t)cols * sizeof(float));
}

static int multiply(enum element element, struct shape s, enum input_kind kind, uint64_t seed,
                    float *c) {
    uint16_t *table = malloc(INPUT_TABLE_SIZE * sizeof *table);
    float *a = alloc_floats(s.m, s.k);
    float *b = alloc_floats(s.k, s.n);
    const int enough = table && a && b;
    if (enough) {
        input_table(element, kind, input_density(element, s.k), table);
        input_fill_float(element, table, seed, INPUT_A, s.m, s.k, a);
        input_fill_float(element, table, seed, INPUT_B, s.k, s.n, b);
        openblas()->cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, (int)s.m, (int)s.n,
                                (int)s.k, 1.0f, a, (int)s.k, b, (int)s.n, 0.0f, c, (int)s.n);
    }
    free(b);
    free(a);
    free(table);
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
        for (int i = 0; i < INPUT_KINDS; i++)
            last.product[i].made = false;
    last.shape = shape;
    last.element = element;

    if (last.product[kind].made && last.product[kind].seed == seed)
        return last.product[kind].c;
    float *c = make_room(kind, shape);
    if (!c || multiply(element, shape, kind, seed, c) < 0) {
        free_product(kind);
        error("reference product of %s: out of memory, %.3g GB are needed; leave the shape out or "
              "use a larger machine",
              shape_format(shape, text),
              4e-9 * ((double)shape.m * (double)shape.k + (double)shape.k * (double)shape.n +
                      (double)shape.m * (double)shape.n));
        return NULL;
    }
    last.product[kind].made = true;
    last.product[kind].seed = seed;
    return c;
}
