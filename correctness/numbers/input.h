/* Inputs: every element of A and B is a pure function of (seed, matrix, row, column), the same on
 * host and device bit for bit, so that both sides make them alone and nothing is copied.
 *
 * Element (i, j) takes 16 bits of Philox4x32-10 (Salmon et al., SC 2011; Random123) with
 *     counter = { j / 8, i, matrix, 0 },  key = { seed low, seed high },
 * namely word (j % 8) / 2, its low half for even j and its high half for odd j, and looks them up
 * in a table of 65,536 quantiles of the element. i and j are the logical indices: neither padding
 * nor the layout of B changes a value. */
#ifndef CORRECTNESS_NUMBERS_INPUT_H
#define CORRECTNESS_NUMBERS_INPUT_H

#include <stdint.h>

#include "bench/base/element.h"
#include "bench/base/shape.h"
#include "bench/base/timed_inputs.h"

#define INPUT_TABLE_SIZE 65536

enum input_matrix { INPUT_A = 1, INPUT_B = 2 };

/* Distributions, each one table. Calls are timed on one of the first four. All these have mean 0 and, but
 * for zeros, variance 1: sums of k products scatter alike, so that what bounds those of normals
 * bounds all. */
enum input_kind {
    /* Standard normal by quantiles: table[u] = Phi^-1((u + 0.5) / 65536), rounded to the
     * element; |x| < 4.4. */
    INPUT_NORMAL = INPUTS_NORMAL,
    /* Between -sqrt(3) and sqrt(3) by quantiles. */
    INPUT_UNIFORM = INPUTS_UNIFORM,
    /* -2, -1, 0, 1, 2 with probability 1/16, 4/16, 6/16, 4/16, 1/16. */
    INPUT_INTEGERS = INPUTS_INTEGERS,
    INPUT_ZEROS = INPUTS_ZEROS,
    /* 1 with probability density, else 0. */
    INPUT_BINARY = INPUTS_COUNT,
    INPUT_KINDS,
    /* Tables of values.h. */
    INPUT_VALUES = INPUT_KINDS,
    INPUT_UP,
    INPUT_DOWN,
    INPUT_LARGE,
    INPUT_SMALL,
    INPUT_TABLES,
    /* Not by table: probe_element.h. */
    INPUT_PROBE = INPUT_TABLES,
    /* By several tables: values.h. */
    INPUT_SCALED,
    INPUT_SPECIAL
};

/* Fills the table of a kind below INPUT_KINDS. density is read only for INPUT_BINARY; the
 * probability used is round(density * 65536) / 65536. */
void input_table(enum element element, enum input_kind kind, double density,
                 uint16_t table[INPUT_TABLE_SIZE]);

/* The table of a kind below INPUT_KINDS for k addends, with the density input_density(element, k). It
 * takes some milliseconds to make, and stays until another density of the kind is asked for. Not for
 * several threads at once. */
const uint16_t *input_table_for(enum element element, enum input_kind kind, int64_t k);

/* Up to here the element counts exactly: 2048 for f16, 256 for bf16. */
int input_exact_limit(enum element element);

/* The largest density of ones up to 1/2 at which an entry of the product, Binomial(k, density^2),
 * is below input_exact_limit with probability at least 0.99 (normal tail with a margin; tested for
 * every k of the paper suite and for k up to SHAPE_MAX_SIZE). */
double input_density(enum element element, int64_t k);

/* One element. */
uint16_t input_element(const uint16_t table[INPUT_TABLE_SIZE], uint64_t seed,
                       enum input_matrix matrix, int64_t row, int64_t column);

/* Elements [first, first + count) of one row; first is a multiple of 8. */
void input_fill_span(const uint16_t table[INPUT_TABLE_SIZE], uint64_t seed,
                     enum input_matrix matrix, int64_t row, int64_t first, int64_t count,
                     uint16_t *out);

/* Fills rows x cols elements, row-major and dense, as float. */
void input_fill_float(enum element element, const uint16_t table[INPUT_TABLE_SIZE], uint64_t seed,
                      enum input_matrix matrix, int64_t rows, int64_t cols, float *out);

/* A stream of seeds: the index-th 64-bit value drawn from (seed, purpose). Philox again, so any
 * index can be had at once and no two (purpose, index) pairs share a value's counter. */
enum seed_purpose {
    SEED_CHECK = 1,
    SEED_BLOCK,
    SEED_ORDER,
    SEED_GAP,
    SEED_SUITE,
    SEED_TUNE,
    SEED_WARMUP,
    SEED_SEAL,
    SEED_CONFIRM = 10,
    SEED_SHAPE,
    SEED_MASK,
    SEED_PLACE = 14,
    SEED_VISIT,
    SEED_DRAWN = 17,
    SEED_BETWEEN,
    SEED_RECORDING,
    SEED_TAKEN
};
uint64_t seed_derive(uint64_t seed, enum seed_purpose purpose, uint64_t index);

/* A seed for each shape. With one seed for all shapes, a kernel that the seed happens to favour
 * would be favoured at every shape. */
uint64_t seed_of_shape(uint64_t seed, struct shape shape);

/* Uniform in [0, 1) with 53 bits, from one such value. */
double seed_uniform(uint64_t value);

#endif
