/* The product of two binary matrices, by counting: sixty-four products a machine word, and exact.
 */
#ifndef CORRECTNESS_NUMBERS_BINARY_PRODUCT_H
#define CORRECTNESS_NUMBERS_BINARY_PRODUCT_H

#include <stdint.h>

#include "bench/base/shape.h"
#include "correctness/numbers/input.h"

/* c, m x n row-major, becomes the product of the inputs that the table, one of INPUT_BINARY, gives
 * for the seed. 0, or -1 without memory. */
int binary_product(struct shape shape, const uint16_t table[INPUT_TABLE_SIZE], uint64_t seed,
                   float *c);

#endif
