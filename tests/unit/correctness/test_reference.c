
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "correctness/numbers/number16.h"
#include "correctness/numbers/reference.h"
#include "tests/support/test.h"

/* Under AddressSanitizer a malloc too big must fail as it does elsewhere. */
const char *__asan_default_options(void);
const char *__asan_default_options(void) {
    return "allocator_may_return_null=1";
}

static uint16_t table[INPUT_TABLE_SIZE];

/* One entry in doubles, from input_element alone. *size is the sum of the products' sizes. */
static double entry(uint64_t seed, int64_t i, int64_t j, int64_t k, double *size) {
    double sum = 0;
    *size = 0;
    for (int64_t l = 0; l < k; l++) {
        const double product =
            (double)number16_to_float(ELEMENT_F16, input_element(table, seed, INPUT_A, i, l)) *
            number16_to_float(ELEMENT_F16, input_element(table, seed, INPUT_B, l, j));
        sum += product;
        *size += fabs(product);
    }
    return sum;
}

/* |error| <= k 2^-24 sum |a b| (Higham 2002, eq. 3.5, to first order; two for the rest). */
TEST(product_is_that_of_the_inputs) {
    const struct shape shapes[] = {{1, 1, 1}, {3, 5, 7}, {17, 33, 65}, {64, 16, 300}, {2, 130, 1}};
    input_table(ELEMENT_F16, INPUT_NORMAL, 0, table);
    for (size_t s = 0; s < sizeof shapes / sizeof *shapes; s++) {
        const struct shape shape = shapes[s];
        float *c = reference_product(ELEMENT_F16, shape, INPUT_NORMAL, 11);
        assert_non_null(c);
        for (int64_t i = 0; i < shape.m; i++)
            for (int64_t j = 0; j < shape.n; j++) {
                double size;
                const double want = entry(11, i, j, shape.k, &size);
                assert_true(fabs(c[i * shape.n + j] - want) <=
                            2 * (double)shape.k * 0x1p-24 * size);
            }
        free(c);
    }
}

TEST(the_binary_product_is_exact) {
    const struct shape shapes[] = {{1, 1, 1},  {3, 5, 63},     {5, 3, 64},
                                   {4, 9, 65}, {7, 1030, 130}, {6, 24, 5000}};
    for (size_t s = 0; s < sizeof shapes / sizeof *shapes; s++) {
        const struct shape shape = shapes[s];
        float *c = reference_product(ELEMENT_F16, shape, INPUT_BINARY, 5);
        assert_non_null(c);
        input_table(ELEMENT_F16, INPUT_BINARY, input_density(ELEMENT_F16, shape.k), table);
        for (int64_t i = 0; i < shape.m; i++)
            for (int64_t j = 0; j < shape.n; j++) {
                double size;
                assert_true(c[i * shape.n + j] == entry(5, i, j, shape.k, &size));
            }
        free(c);
    }
}

TEST(shapes_that_are_none_are_refused) {
    const struct shape shapes[] = {
        {0, 1, 1}, {1, -1, 1}, {1, 1, 0}, {SHAPE_MAX_SIZE + 1, 1, 1}, {1, 1, (int64_t)1 << 32}};
    for (size_t s = 0; s < sizeof shapes / sizeof *shapes; s++)
        assert_null(reference_product(ELEMENT_F16, shapes[s], INPUT_NORMAL, 1));
}

/* 4 TiB are asked for where the address space ends at one. */
TEST(memory_that_runs_out_is_said) {
    const struct shape huge = {SHAPE_MAX_SIZE, SHAPE_MAX_SIZE, 1}, small = {3, 3, 3};
    const struct shape deep = {SHAPE_MAX_SIZE, 1, SHAPE_MAX_SIZE};
#ifndef __SANITIZE_ADDRESS__ /* which holds terabytes of addresses itself */
    const struct rlimit limit = {(rlim_t)1 << 40, (rlim_t)1 << 40};
    assert_int_equal(setrlimit(RLIMIT_AS, &limit), 0);
#endif
    assert_null(reference_product(ELEMENT_F16, huge, INPUT_NORMAL, 1)); /* C itself */
    assert_null(reference_product(ELEMENT_F16, deep, INPUT_NORMAL, 1)); /* A */
    float *c = reference_product(ELEMENT_F16, small, INPUT_NORMAL, 1);
    assert_non_null(c);
    free(c);
}
