/* The check of a reference product: what is right passes, and what is planted is found where the
 * header says that it can be. */
#include "correctness/numbers/number16.h"
#include "correctness/numbers/reference_check.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/chunked_product.h"
#include "tests/support/matrix.h"
#include "tests/support/test.h"

#define SEED 11
#define MOST ((size_t)1 << 17)

static enum element element;
static uint16_t a[MOST], b[MOST];
static float c[MOST];

static void make(struct shape s, enum input_kind kind) {
    static uint16_t table[INPUT_TABLE_SIZE];
    input_table(element, kind, input_density(element, s.k), table);
    matrix_fill(table, SEED, INPUT_A, s.m, s.k, s.k, a);
    matrix_fill(table, SEED, INPUT_B, s.k, s.n, s.n, b);
    chunked_product(element, s, a, b, c);
}

static int check(struct shape s, enum input_kind kind, uint64_t secret,
                 struct reference_fault *fault) {
    return reference_check(element, s, kind, SEED, c, secret, fault);
}

/* Of so many secrets, how many find the fault. */
static int found(struct shape s, enum input_kind kind, int secrets) {
    struct reference_fault fault;
    int count = 0;
    for (int secret = 1; secret <= secrets; secret++)
        count += check(s, kind, (uint64_t)secret, &fault) == 0;
    return count;
}

/* Sizes about the spans, chunks and groups that it works in. */
static const struct shape shapes[] = {{1, 1, 1},    {3, 5, 7},      {64, 64, 64},
                                      {2, 257, 33}, {17, 300, 400}, {5, 9, 5000}};

TEST(what_is_right_passes) {
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++)
        for (int way = 0; way < INPUT_KINDS * ELEMENT_COUNT; way++) {
            const enum input_kind kind = (enum input_kind)(way % INPUT_KINDS);
            element = (enum element)(way / INPUT_KINDS);
            make(shapes[i], kind);
            assert_int_equal(found(shapes[i], kind, 8), 0);
            element = element == ELEMENT_F16 ? ELEMENT_BF16 : ELEMENT_F16; /* are other inputs */
            assert_true(shapes[i].k < 33 || kind != INPUT_NORMAL || found(shapes[i], kind, 8) == 8);
        }
    element = ELEMENT_F16;
}

/* The element that is wrong is told, or the row. */
TEST(one_wrong_element_is_found) {
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++)
        for (int kind = 0; kind < INPUT_KINDS; kind++) {
            const struct shape s = shapes[i];
            const int64_t row = s.m / 2, col = s.n - 1;
            struct reference_fault fault;
            make(s, (enum input_kind)kind);
            c[row * s.n + col] += 1;
            assert_int_equal(found(s, (enum input_kind)kind, 8), 8);
            assert_int_equal(check(s, (enum input_kind)kind, 3, &fault), 0);
            assert_int_equal(fault.row, row);
            assert_true(fault.col == col || fault.col == -1);
            assert_true(fabs(fabs(fault.got - fault.want) - 1) < 0.01);
            assert_true(fault.allowed < 0.5);
        }
}

/* Twice the tolerance of 64x64x64 is 0.003. */
TEST(resolution_is_as_stated) {
    const struct shape s = {64, 64, 64};
    make(s, INPUT_NORMAL);
    c[40 * 64 + 7] += 0.004f;
    assert_int_equal(found(s, INPUT_NORMAL, 8), 8);
    make(s, INPUT_NORMAL);
    c[40 * 64 + 7] += 1e-4f; /* not found where row 40 is not drawn, nor where it is */
    assert_int_equal(found(s, INPUT_NORMAL, 8), 0);
    make(s, INPUT_BINARY);
    c[40 * 64 + 7] += 1e-6f; /* exact */
    assert_int_equal(found(s, INPUT_BINARY, 8), 8);
}

/* Of a row that is drawn, each element is held against the tolerance of one. */
TEST(rows_that_are_drawn_show_more) {
    const struct shape s = {1, 400, 64}; /* 0.0002 for an element, 0.004 for the row */
    struct reference_fault fault;
    make(s, INPUT_NORMAL);
    c[123] += 0.001f;
    assert_int_equal(found(s, INPUT_NORMAL, 8), 8);
    assert_int_equal(check(s, INPUT_NORMAL, 1, &fault), 0);
    assert_int_equal(fault.col, 123);
}

/* Errors that cancel under half of the signs: four vectors miss one time in sixteen. */
TEST(errors_that_cancel_are_found_mostly) {
    const struct shape s = {2000, 4, 4};
    make(s, INPUT_BINARY);
    c[1000 * 4] += 1;
    c[1000 * 4 + 2] -= 1;
    const int count = found(s, INPUT_BINARY, 400); /* 375 are expected, +- 5 */
    assert_true(count > 350 && count < 395);
}

TEST(one_wrong_row_is_found) {
    const struct shape s = {130, 64, 40};
    make(s, INPUT_NORMAL);
    memcpy(c + 77 * 64, c + 78 * 64, 64 * sizeof *c);
    assert_int_equal(found(s, INPUT_NORMAL, 8), 8);
    make(s, INPUT_NORMAL);
    memset(c + 129 * 64, 0, 64 * sizeof *c);
    assert_int_equal(found(s, INPUT_NORMAL, 8), 8);
}

TEST(a_transposed_product_is_found) {
    const struct shape s = {48, 48, 32};
    for (int kind = 0; kind < INPUT_KINDS; kind++) {
        make(s, (enum input_kind)kind);
        for (int i = 0; i < 48; i++)
            for (int j = 0; j < i; j++) {
                const float other = c[i * 48 + j];
                c[i * 48 + j] = c[j * 48 + i];
                c[j * 48 + i] = other;
            }
        assert_int_equal(found(s, (enum input_kind)kind, 8), kind == INPUT_ZEROS ? 0 : 8);
    }
}

/* As of a product that is kept in too little, or whose last slice of k is left out. */
TEST(a_small_systematic_error_is_found) {
    const struct shape s = {64, 256, 500};
    const int64_t elements = s.m * s.n;
    make(s, INPUT_NORMAL);
    for (int64_t i = 0; i < elements; i++)
        c[i] *= 1 + 0x1p-12f;
    assert_int_equal(found(s, INPUT_NORMAL, 8), 8);
    make(s, INPUT_NORMAL);
    for (int64_t i = 0; i < elements; i++)
        c[i] = number16_to_float(ELEMENT_F16, number16_from_float(ELEMENT_F16, c[i]));
    assert_int_equal(found(s, INPUT_NORMAL, 8), 8);
    make(s, INPUT_NORMAL);
    for (int64_t i = 0; i < elements; i++)
        c[i] -= number16_to_float(ELEMENT_F16, a[i / s.n * s.k + s.k - 1]) *
                number16_to_float(ELEMENT_F16, b[(s.k - 1) * s.n + i % s.n]);
    assert_int_equal(found(s, INPUT_NORMAL, 8), 8);
    make(s, INPUT_NORMAL);
    for (int64_t i = 0; i < elements; i++)
        c[i] *= 1 + 0x1p-22f; /* two last places: below what can be told, and what matters */
    assert_int_equal(found(s, INPUT_NORMAL, 8), 0);
}

TEST(what_is_no_number_is_found) {
    const struct shape s = {33, 9, 20};
    const float values[] = {NAN, INFINITY, -INFINITY};
    for (int i = 0; i < 3; i++)
        for (int kind = 0; kind < INPUT_KINDS; kind++) {
            make(s, (enum input_kind)kind);
            c[20 * 9 + 4] = values[i];
            assert_int_equal(found(s, (enum input_kind)kind, 8), 8);
        }
}

TEST(inputs_of_another_seed_are_found) {
    const struct shape s = {8, 8, 8};
    struct reference_fault fault;
    make(s, INPUT_NORMAL);
    assert_int_equal(reference_check(ELEMENT_F16, s, INPUT_NORMAL, SEED + 1, c, 1, &fault), 0);
}

/* A right product is nowhere near the tolerance: errors a tenth of it are never met. */
TEST(a_right_product_is_far_from_the_tolerance) {
    const struct shape s = {40, 64, 1500};
    struct reference_fault fault;
    make(s, INPUT_NORMAL);
    for (int row = 0; row < 40; row++) {
        const float before = c[row * 64];
        c[row * 64] += 1;
        for (uint64_t secret = 1; secret <= 5; secret++) {
            assert_int_equal(check(s, INPUT_NORMAL, secret, &fault), 0);
            assert_int_equal(fault.row, row);
            assert_true(fabs(fabs(fault.got - fault.want) - 1) < fault.allowed / 10);
        }
        c[row * 64] = before;
    }
}
