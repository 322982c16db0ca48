/* The checks of one output against the reference. Pure: no device, no files, no clocks. */
#ifndef CORRECTNESS_NUMBERS_CHECK_H
#define CORRECTNESS_NUMBERS_CHECK_H

#include <stdint.h>

#include "bench/base/element.h"
#include "bench/base/outcome.h"
#include "bench/base/shape.h"

/* An entry of C, and what the reference has there; row and col -1, got and want NaN: there is none. */
struct check_place {
    int64_t row, col;
    float got, want;
};

/* A sum of zeros and ones below input_exact_limit is the same in 16-bit and f32 accumulation
 * whatever the order. A zero of either sign is right: 0 and -0 are the same number. */
struct check_exact {
    int64_t compared;         /* entries of the reference whose size is below the limit */
    int64_t total;            /* m*n */
    int64_t wrong;            /* compared entries that differ in a bit, NaN among them */
    int64_t nan;              /* NaN anywhere in C, compared or not */
    struct check_place place; /* the first wrong or NaN entry in row-major order */
};

/* c is m x n row-major, reference m x n FP32. Returns OUTCOME_OK, _NAN_LEFT, _INEXACT or
 * _NOTHING_COMPARED. */
enum outcome check_exact(enum element element, const uint16_t *c, const float *reference,
                         struct shape shape, struct check_exact *result);

struct check_deviation {
    double largest;       /* max |c - reference| over what is no NaN, the difference taken in FP32
                             (exact within a factor of two, by Sterbenz's lemma); infinity where c is
                             infinite and the reference not */
    double reference_max; /* max |reference| */
    int64_t coarse;       /* further from the reference than element_coarse of its last places */
    int64_t nan;
    struct check_place
        place; /* the first NaN, else the first of the largest deviation if it is not 0 */
};

/* Measures; judging needs the baselines' deviations, see check_bound. Returns OUTCOME_OK or
 * _NAN_LEFT. */
enum outcome check_deviation(enum element element, const uint16_t *c, const float *reference,
                             struct shape shape, struct check_deviation *result);

/* The bound on a candidate's deviation.
 *
 * The paper's rule is "at most the largest deviation among the baselines" (baseline_largest). Taken
 * to the letter it refuses honest kernels by a hair: two kernels that both round an FP32 sum to 16
 * bits differ only at ties, where one is just under half a last place off and the other just
 * over, and the reference itself carries FP32 error. So the bound is
 *
 *     f32: max(baseline_largest, number16_ulp(reference_max) / 2) + a
 *     f16: 1.25 * baseline_largest + a
 *     a  = k * 2^-24 + k / 8 * 2^-23 * reference_max
 *
 * where number16_ulp / 2 is what rounding the exact product to the element may cost and a is what
 * FP32 accumulation may. Its first part is over three standard deviations (0.29 k*2^-24 each, by
 * simulation) of sequential accumulation of k products of standard normals, rounded to nearest. Its
 * second is for tensor cores, which add at least 8 products a step to the accumulator and truncate:
 * k/8 steps, each at most one last place of a running sum no larger than reference_max. Without it
 * two right mma.sync kernels were refused on an H200 at 1000x37x4097 (off by 0.06326 where rounding
 * alone explains 0.06282). 1.25 covers the sampling spread of the largest of m*n errors of one
 * distribution (three standard deviations of a Gumbel maximum over 4,096 entries). Both the bound
 * and the paper's are written to checks.csv. */
double check_bound(enum element element, double baseline_largest, double reference_max, int64_t k,
                   int32_t accumulate);

/* How many elements of C may be coarse where f32 is claimed. Of a kernel that sums in binary32 and
 * rounds once, only small elements are: what an error of FP32 accumulation is beside them. f16
 * partial sums that are too few for the bound above show here. A share of
 *
 *     max(2 * library_share, 1 %, k * 2^-19)
 *
 * is allowed, and six standard deviations of its count. The last part is for tensor cores that add
 * 8 products a step and truncate, beside libraries that split k. Simulated on standard normals
 * (per cent of elements; the last two rows: 16 and 256 products in f16, then f32):
 *
 *     k                              256   1024   4096  16384  65536
 *     steps of 8, truncated         0.03   0.03    0.5    1.4    7.1
 *     steps of 16, truncated           0      0    0.2    0.5    3.7
 *     FMA by FMA, to nearest           0      0   0.03   0.05    0.2
 *     f16 slices of 16                12     14     13     13     14
 *     f16 slices of 256               23     32     34     35     34
 *     k * 2^-19                     0.05    0.2    0.8    3.1     13
 *
 * The table is of f16. Of bf16, an element is coarse where accumulation is off by a quarter of a
 * last place, which is two last places of f16 (element_coarse): the shares of f32 are smaller. */
uint64_t check_coarse_allowed(double library_share, struct shape shape);

#endif
