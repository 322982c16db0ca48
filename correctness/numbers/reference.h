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
 * The products of the last shape and element are kept, one for each kind, so that all kernels of a
 * shape share them. The function needs 4*(m*k + k*n) bytes while it works, and keeps 4*m*n bytes a
 * kind. It returns m*n floats, row-major. They belong to the module, and stay until another shape or
 * another seed of the kind is asked for, or reference_free is called. NULL after error() where the
 * shape is none or memory runs out. Not for two threads at once. */
const float *reference_product(enum element element, struct shape shape, enum input_kind kind,
                               uint64_t seed);
void reference_free(void);

#endif
