/* The FP32 product on the CPU, which every check compares with. */
#ifndef CORRECTNESS_NUMBERS_REFERENCE_H
#define CORRECTNESS_NUMBERS_REFERENCE_H

#include <stdint.h>

#include "bench/base/shape.h"
#include "correctness/numbers/input.h"

/* C = A*B in FP32 (OpenBLAS sgemm, all its threads) of the inputs that (kind, seed) make for the
 * shape. INPUT_BINARY has the density input_density(element, shape.k); its sums are integers below
 * 2^24, which FP32 adds exactly in any order.
 *
 * Needs 4*(m*k + k*n) bytes beside C while it works. Returns m*n floats, row-major, which the caller
 * frees; NULL after error() where the shape is none or memory runs out. Not for two threads at
 * once. */
float *reference_product(enum element element, struct shape shape, enum input_kind kind,
                         uint64_t seed);

#endif
