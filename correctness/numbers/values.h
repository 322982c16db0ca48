/* The check of numbers that standard normals do not have: large and subnormal entries,
 * products that overflow or are subnormal, infinities and NaN. Pure.
 *
 * The base is a product of normals, rounded to multiples of 2^-12. The other products are of the
 * same numbers times powers of two, which are numbers of the element, too. Of f16:
 *
 *     scaled    2^10 A * 2^-10 B     A up to 4,505, one element of B in twenty subnormal
 *     large     2^l A * 2^l B        2^l is such that some of C overflow binary16
 *     small     2^-s A * 2^-s B      2^-s is such that most of C are subnormal, as some of A and B
 *
 * Let S be the sum of the two exponents. Scaled by powers of two, every product and every partial
 * sum in binary32 is 2^S times what it was, bit for bit: nothing is near 2^128 or 2^-126. So C is
 * 2^S times the base's C, but for the last rounding: to infinity from 65520 up, to multiples of
 * 2^-24 below 2^-14. Sums of A's or B's elements (Strassen) are scaled as well, and 2^10 * 8.8 is
 * below 65504 even where they are rounded to binary16. For `scaled` S is 0: each product is the
 * same number, so that C has the same bits also where partial sums are binary16. `large` and
 * `small` are asked of f32 only: there partial sums in binary16 overflow or lose bits on the way.
 *
 * `special` is the base with few elements of A and B replaced by infinity, NaN and +-65504, and its
 * entries are judged by class: where exact arithmetic says NaN, or says an infinity, C must not be
 * finite nor the other infinity. NaN where it says something else is no
 * fault: fast algorithms add rows before they multiply. For the same reason entries without a
 * special operand need only be the base's within a sixteenth of their standard deviation.
 *
 * Of bf16, which has the range of binary32:
 *
 *     scaled    2^110 A * 2^-110 B   A up to 2^112, B down to 2^-122
 *     large     2^l A * 2^l B        the standard deviation of C is from 2^118 to 2^120
 *     small     2^-51 A * 2^-51 B    that of C is 2^-102 times the root of k
 *
 * These are far beyond what binary16 holds: a kernel that multiplies or adds in f16 fails. Nothing
 * is subnormal, and no sum of normals is near 2^128: numbers of C are at most some five standard
 * deviations, and all products and sums of `small` are multiples of 2^-126. So each is 2^S times
 * what it was here, too. Subnormals are not asked for: those of bf16 are those of binary32, which
 * nvcc flushes to zero on the plain cores under --use_fast_math. C does not overflow either, since
 * sums in binary32 overflow with it. `special` has +-65280 in the place of +-65504. */
#ifndef CORRECTNESS_NUMBERS_VALUES_H
#define CORRECTNESS_NUMBERS_VALUES_H

#include <stdint.h>

#include "bench/base/element.h"
#include "bench/base/shape.h"
#include "correctness/numbers/input.h"

enum values_class { VALUES_SCALED, VALUES_LARGE, VALUES_SMALL, VALUES_SPECIAL, VALUES_CLASSES };

/* The name of a class, and the inputs that it is called with. */
const char *values_word(enum values_class class);
enum input_kind values_kind(enum values_class class);

/* The table that the elements of a matrix come from, for every kind but INPUT_PROBE. */
enum input_kind values_table_of(enum input_kind kind, enum input_matrix matrix);

/* Fills one of the tables INPUT_VALUES to INPUT_SMALL from that of INPUT_NORMAL. */
void values_table(enum element element, enum input_kind table, int64_t k,
                  const uint16_t normal[INPUT_TABLE_SIZE], uint16_t out[INPUT_TABLE_SIZE]);

/* The elements of INPUT_SPECIAL that are not the base's. */
struct values_special {
    enum input_matrix matrix;
    int64_t row, column; /* in A (m x k) or B (k x n) */
    uint16_t bits;
};
#define VALUES_SPECIALS 10
void values_specials(enum element element, uint64_t seed, struct shape shape,
                     struct values_special list[VALUES_SPECIALS]);

struct values_verdict {
    int64_t wrong;    /* entries that no rounding explains */
    int64_t coarse;   /* others, over 2 * element_coarse last places from what they should be */
    int64_t row, col; /* the first wrong one, else the first coarse one; -1 if none */
    double got, want; /* there */
};

/* base and c: what a kernel made, m x n row-major, of INPUT_VALUES and of the class's inputs for
 * the same seed. table: that of INPUT_VALUES. tolerance: how far apart right products of the base
 * may be. Not for two threads at once. */
void values_judge(enum element element, enum values_class class, const uint16_t *base,
                  const uint16_t *c, struct shape shape, const uint16_t table[INPUT_TABLE_SIZE],
                  uint64_t seed, double tolerance, struct values_verdict *verdict);

#endif
