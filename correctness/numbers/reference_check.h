/* Whether an FP32 product that another processor made is right. It is checked on this one, in
 * double, against the inputs themselves. Nothing that made the product has a part in it.
 *
 * The product of INPUT_BINARY is made of integers below 2^24, which FP32 adds exactly: nothing may
 * be off at all. The product of INPUT_NORMAL is rounded. Its maker promises sums of at most
 * REFERENCE_CHUNK products in FP32, added up with the error of each addition kept, and rounded
 * once. A sum of `columns` of its elements of row i, each with a random sign, may then be off by
 *
 *     tolerance = 64 * u * sqrt(columns * (min(k, REFERENCE_CHUNK) + 2)) * |a_i|,   u = 2^-24,
 *
 * with |a_i| the Euclidean length of row i of A. An addition's error is at most u times its result.
 * The results are sums of products of a row of A and normal numbers, with a standard deviation of
 * at most |a_i| for all of k and |a_i,chunk| for a chunk. Errors are taken to be independent and of
 * mean zero, as in Higham and Mary, "A new approach to probabilistic rounding error analysis" (SIAM
 * J. Sci. Comput. 41, 2019) and its sequel on random data (42, 2020); then the root above bounds
 * their standard deviation. 64 = 8 * 8 is eight deviations of the errors times eight of the sums.
 * Hoeffding's inequality gives the first a probability below 2 exp(-32), or 3e-14 a row. The
 * rounding of doubles is a thousand times smaller.
 *
 * Two looks are taken, with all that is random drawn from a secret that the product's maker does
 * not know.
 *
 * Rows: REFERENCE_ROWS rows drawn at random are computed whole, and each element compared with the
 * tolerance for one column. This shows a small error that all rows have.
 *
 * The whole: Freivalds' test (1977), C x = A (B x) for REFERENCE_VECTORS vectors x of random signs,
 * with the tolerance for n columns. An element that alone is off by more than twice the tolerance
 * is always found. Of several such in a row, each vector misses them with a probability of at most
 * 1/2, since of the two signs of one of them at most one can hide it: 1/16 in all, for errors made
 * to cancel. An element that is off by less than the tolerance is not found. At 64x64x64 that is
 * 1.5e-3 beside elements of about 8; at 16384x16384x16384 it is 0.36 beside elements of about 128,
 * of which binary16 rounds to 0.06, and 0.003 in the rows that were drawn. */
#ifndef CORRECTNESS_NUMBERS_REFERENCE_CHECK_H
#define CORRECTNESS_NUMBERS_REFERENCE_CHECK_H

#include <stdbool.h>
#include <stdint.h>

#include "bench/base/shape.h"
#include "correctness/numbers/input.h"
#include "correctness/numbers/reference_chunk.h"

#define REFERENCE_ROWS 4
#define REFERENCE_VECTORS 4

/* The fault that was found. */
struct reference_fault {
    int64_t row, col;          /* col -1: the sum of the whole row under random signs */
    double got, want, allowed; /* the element or sum, in double, and how far apart they may be */
};

/* Whether c, m x n row-major, is right beside the inputs that (kind, seed) make for the shape. If
 * not, *fault is the first wrong element of the rows drawn, or else the first wrong row. Not for two
 * threads at once. */
bool reference_check(enum element element, struct shape shape, enum input_kind kind, uint64_t seed,
                     const float *c, uint64_t secret, struct reference_fault *fault);

#endif
