/* For tests: a whole matrix of generated elements. */
#ifndef TESTS_SUPPORT_MATRIX_H
#define TESTS_SUPPORT_MATRIX_H

#include "correctness/numbers/input.h"

/* Fills rows x cols elements, row-major, with leading dimension ld. */
static inline void matrix_fill(const uint16_t table[INPUT_TABLE_SIZE], uint64_t seed,
                               enum input_matrix matrix, int64_t rows, int64_t cols, int64_t ld,
                               uint16_t *out) {
    for (int64_t row = 0; row < rows; row++)
        input_fill_span(table, seed, matrix, row, 0, cols, out + row * ld);
}

#endif
