#include "correctness/numbers/check.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bench/base/cores.h"
#include "bench/base/need.h"
#include "candidates/gemmgate.h"
#include "correctness/numbers/element_bits.h"
#include "correctness/numbers/input.h"
#include "correctness/numbers/number16.h"

/* Both checks walk C in pieces that stay in the first cache, and that threads take: loops without
 * branches, which compilers vectorise. */
enum { PIECE = 2048 };

#define INFINITY_BITS 0x7f800000

/* Bits of |value|: ordered as the values are, NaN above infinity. */
static inline int32_t size_bits(float value) {
    int32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits & 0x7fffffff;
}

static inline float size_value(int32_t bits) {
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

/* number16_ulp without branches, in bits. For a size beyond the element it is the last place that
 * the element would have. For bfloat16 it is the least last place (2^-133) of all sizes below
 * 2^-119: binary32 has no exponents for them. Products of normals are 0 or larger. */
struct places {
    int32_t least, below; /* of the last place; how far under the size it is */
};

static struct places places_of(enum element element) {
    const float least = number16_ulp(element, 0);
    return (struct places){size_bits(least), (element_digits(element) - 1) * (1 << 23)};
}

static inline float last_place(struct places places, int32_t size) {
    const int32_t place = (size & INFINITY_BITS) - places.below;
    return size_value(place > places.least ? place : places.least);
}

/* What a check compares. */
struct pair {
    enum element element;
    const uint16_t *c;
    const float *reference;
    int64_t total, n;
};

static struct pair pair_of(enum element element, const uint16_t *c, const float *reference,
                           struct shape shape) {
    return (struct pair){element, c, reference, shape.m * shape.n, shape.n};
}

static int64_t piece_count(const struct pair *pair) {
    return (pair->total + PIECE - 1) / PIECE;
}

/* The entries of a piece as floats. Returns how many there are. */
static int take_piece(const struct pair *pair, int64_t piece, float got[PIECE]) {
    const int64_t at = piece * PIECE, left = pair->total - at;
    const int length = left < PIECE ? (int)left : PIECE;
    number16_to_floats(pair->element, pair->c + at, got, length);
    return length;
}

/* How bad an entry is by a check; 0: not at all. */
typedef int32_t badness(float got, float want, float limit);

/* The first of the worst entries; worst: of each piece. */
static struct check_place place_of(const struct pair *pair, const int32_t *worst, badness *bad,
                                   float limit) {
    float got[PIECE];
    int64_t first = 0;
    int i = 0;
    for (int64_t piece = 1; piece < piece_count(pair); piece++)
        first = worst[piece] > worst[first] ? piece : first;
    if (worst[first] == 0)
        return (struct check_place){.row = -1, .col = -1, .got = NAN, .want = NAN};
    const float *want = pair->reference + first * PIECE;
    take_piece(pair, first, got);
    while (bad(got[i], want[i], limit) != worst[first])
        i++;
    const int64_t at = first * PIECE + i;
    return (struct check_place){at / pair->n, at % pair->n, got[i], want[i]};
}

static inline int32_t is_wrong(float got, float want, float limit) {
    return (fabsf(want) < limit) & (got != want);
}

/* NaN, or wrong. */
static inline int32_t is_inexact(float got, float want, float limit) {
    return (got != got) | is_wrong(got, want, limit);
}

enum outcome check_exact(enum element element, const uint16_t *c, const float *reference,
                         struct shape shape, struct check_exact *result) {
    const struct pair pair = pair_of(element, c, reference, shape);
    const float limit = (float)input_exact_limit(element);
    int32_t *worst = need((size_t)piece_count(&pair), sizeof *worst);
    int64_t all_compared = 0, all_wrong = 0, all_nan = 0;
#pragma omp parallel for num_threads(team_size(pair.total))                                        \
    reduction(+ : all_compared, all_wrong, all_nan)
    for (int64_t piece = 0; piece < piece_count(&pair); piece++) {
        const float *want = reference + piece * PIECE;
        float got[PIECE];
        const int length = take_piece(&pair, piece, got);
        int32_t compared = 0, wrong = 0, nan = 0;
        for (int i = 0; i < length; i++) {
            compared += fabsf(want[i]) < limit;
            wrong += is_wrong(got[i], want[i], limit);
            nan += got[i] != got[i];
        }
        worst[piece] = wrong + nan > 0;
        all_compared += compared;
        all_wrong += wrong;
        all_nan += nan;
    }
    *result = (struct check_exact){.compared = all_compared,
                                   .total = pair.total,
                                   .wrong = all_wrong,
                                   .nan = all_nan,
                                   .place = place_of(&pair, worst, is_inexact, limit)};
    free(worst);
    return all_nan > 0        ? OUTCOME_NAN_LEFT
           : all_wrong > 0    ? OUTCOME_INEXACT
           : all_compared > 0 ? OUTCOME_OK
                              : OUTCOME_NOTHING_COMPARED;
}

/* The bits of the deviation's size: 0 of infinities that are the same, infinity beside a reference
 * that is NaN, which vouches for nothing. A C that is NaN is worse than any. */
static inline int32_t deviation_bits(float got, float want, float limit) {
    (void)limit;
    const int32_t difference = size_bits(got - want);
    const int32_t some = difference > INFINITY_BITS ? INFINITY_BITS : difference;
    return got != got ? INT32_MAX : got == want ? 0 : some;
}

/* The largest deviation of a piece that has NaN, or infinities; *nan is how many of C are. */
static int32_t largest_beside_nan(const float *got, const float *want, int length, int64_t *nan) {
    int32_t largest = 0;
    for (int i = 0; i < length; i++) {
        const int32_t bits = deviation_bits(got[i], want[i], 0);
        *nan += bits == INT32_MAX;
        largest = bits > largest && bits < INT32_MAX ? bits : largest;
    }
    return largest;
}

enum outcome check_deviation(enum element element, const uint16_t *c, const float *reference,
                             struct shape shape, struct check_deviation *result) {
    const struct pair pair = pair_of(element, c, reference, shape);
    const struct places places = places_of(element);
    const float most = element_coarse(element);
    int32_t *worst = need((size_t)piece_count(&pair), sizeof *worst);
    int32_t all_largest = 0, all_max = 0;
    int64_t all_coarse = 0, all_nan = 0;
#pragma omp parallel for num_threads(team_size(pair.total)) reduction(+ : all_coarse, all_nan)     \
    reduction(max : all_largest, all_max)
    for (int64_t piece = 0; piece < piece_count(&pair); piece++) {
        const float *want = reference + piece * PIECE;
        float got[PIECE];
        const int length = take_piece(&pair, piece, got);
        int32_t largest = 0, max = 0, coarse = 0;
        int64_t nan = 0;
        for (int i = 0; i < length; i++) {
            const int32_t difference = size_bits(got[i] - want[i]), size = size_bits(want[i]);
            largest = difference > largest ? difference : largest;
            max = size > max ? size : max;
            coarse += size_value(difference) > most * last_place(places, size);
        }
        if (largest > INFINITY_BITS)
            largest = largest_beside_nan(got, want, length, &nan);
        worst[piece] = nan > 0 ? INT32_MAX : largest;
        all_largest = largest > all_largest ? largest : all_largest;
        all_max = max > all_max ? max : all_max;
        all_coarse += coarse;
        all_nan += nan;
    }
    *result = (struct check_deviation){.largest = (double)size_value(all_largest),
                                       .reference_max = (double)size_value(all_max),
                                       .coarse = all_coarse,
                                       .nan = all_nan,
                                       .place = place_of(&pair, worst, deviation_bits, 0)};
    free(worst);
    return all_nan > 0 ? OUTCOME_NAN_LEFT : OUTCOME_OK;
}

#define COARSE_LIBRARIES 2 /* times a library's share */
#define COARSE_LEAST 0.01
#define COARSE_OF_K 0x1p-19
#define COARSE_SIGMAS 6

uint64_t check_coarse_allowed(double library_share, struct shape shape) {
    const double least = fmax(COARSE_LEAST, COARSE_OF_K * (double)shape.k);
    const double all = (double)shape.m * (double)shape.n;
    const double likely = all * fmax(COARSE_LIBRARIES * library_share, least);
    return (uint64_t)fmin(all, likely + COARSE_SIGMAS * sqrt(likely + 1));
}

double check_bound(enum element element, double baseline_largest, double reference_max, int64_t k,
                   int32_t accumulate) {
    const double accumulation = (double)k * (0x1p-24 + 0x1p-26 * reference_max);
    if (accumulate == GEMM_F16)
        return 1.25 * baseline_largest + accumulation;
    return fmax(baseline_largest, (double)number16_ulp(element, (float)reference_max) / 2) +
           accumulation;
}
