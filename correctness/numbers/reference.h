/* The FP32 product on the CPU, which every check compares with. */
#ifndef CORRECTNESS_NUMBERS_REFERENCE_H
#define CORRECTNESS_NUMBERS_REFERENCE_H

#include <stdint.h>

#include "bench/base/shape.h"
#include "correctness/numbers/input.h"

/* C = A*B in FP32 (OpenBLAS sgemm, all its threads) of the inputs that (kind, seed) make for the
 * shape, INPUT_BINARY at input_density(element, shape.k). Remembers the products of the last shape
 * and element asked for, one for each kind, so that all kernels of a shape share them; needs 4*(m*k
 * + k*n) bytes while it works and keeps 4*m*n bytes a kind, of the largest shape so far. Returns
 * m*n floats, row-major, owned by the module until another shape, or another seed of the kind, is
 * asked for or reference_free is called; NULL when the shape is none or memory runs out (said
 * through error()). Not for two threads at once. */
const float *reference_product(enum element element, struct shape shape, enum input_kind kind,
                               uint64_t seed);
void reference_free(void);

#endif
