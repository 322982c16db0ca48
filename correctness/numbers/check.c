#include "correctness/numbers/check.h"

#include <math.h>
#include <string.h>

#include "bench/base/cores.h"
#include "candidates/gemmgate.h"
#include "correctness/numbers/element_bits.h"
#include "correctness/numbers/input.h"
#include "correctness/numbers/number16.h"

/* Both checks walk C in pieces that stay in the first cache: a loop without branches, which
 * compilers vectorise, says whether a piece needs the slow look that finds and counts. */
enum { PIECE = 2048 };

#define INFINITY_BITS 0x7f800000

/* C in bands that threads take; results are put together in the order of the bands. */
enum { BANDS = 64 };

static int64_t band_begin(int64_t total, int band) {
    return total / BANDS * band + (total % BANDS * band) / BANDS;
}

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

static int64_t piece_length(int64_t at, int64_t total) {
    return total - at < PIECE ? total - at : PIECE;
}

static int is_exact(enum element element, uint16_t c, float reference) {
    const uint16_t want = number16_from_float(element, reference);
    return c == want || ((c | want) & 0x7fff) == 0;
}

static void exact_look(enum element element, const uint16_t *c, const float *reference, int64_t at,
                       int64_t length, int64_t n, struct check_exact *result) {
    const float limit = (float)input_exact_limit(element);
    for (int64_t i = at; i < at + length; i++) {
        const int nan = element_is_nan(element, c[i]);
        const int wrong = fabsf(reference[i]) < limit && !is_exact(element, c[i], reference[i]);
        result->nan += nan;
        result->wrong += wrong;
        if ((nan || wrong) && result->row < 0) {
            result->row = i / n;
            result->col = i % n;
            result->got = number16_to_float(element, c[i]);
            result->want = reference[i];
        }
    }
}

static struct check_exact exact_band(enum element element, const uint16_t *c,
                                     const float *reference, int64_t n, int64_t begin,
                                     int64_t end) {
    const float limit = (float)input_exact_limit(element);
    struct check_exact band = {.row = -1, .col = -1, .got = NAN, .want = NAN}, *result = &band;
    float got[PIECE];
    for (int64_t at = begin; at < end; at += PIECE) {
        const int length = (int)piece_length(at, end);
        int32_t compared = 0, suspect = 0;
        number16_to_floats(element, c + at, got, length);
        for (int i = 0; i < length; i++) {
            const float want = reference[at + i];
            const int32_t small = fabsf(want) < limit;
            compared += small;
            suspect |= (small & (got[i] != want)) | (got[i] != got[i]);
        }
        result->compared += compared;
        if (suspect)
            exact_look(element, c, reference, at, length, n, result);
    }
    return band;
}

enum outcome check_exact(enum element element, const uint16_t *c, const float *reference,
                         struct shape shape, struct check_exact *result) {
    struct check_exact bands[BANDS];
    const int64_t total = shape.m * shape.n;
    *result = (struct check_exact){.total = total, .row = -1, .col = -1, .got = NAN, .want = NAN};
#pragma omp parallel for num_threads(team_size(total))
    for (int i = 0; i < BANDS; i++)
        bands[i] = exact_band(element, c, reference, shape.n, band_begin(total, i),
                              band_begin(total, i + 1));
    for (int i = 0; i < BANDS; i++) {
        result->compared += bands[i].compared;
        result->wrong += bands[i].wrong;
        result->nan += bands[i].nan;
        if (result->row < 0 && bands[i].row >= 0) {
            result->row = bands[i].row;
            result->col = bands[i].col;
            result->got = bands[i].got;
            result->want = bands[i].want;
        }
    }
    if (result->nan > 0)
        return OUTCOME_NAN_LEFT;
    if (result->wrong > 0)
        return OUTCOME_INEXACT;
    return result->compared > 0 ? OUTCOME_OK : OUTCOME_NOTHING_COMPARED;
}

static double deviation(float got, float want) {
    if (got == want) /* infinities too */
        return 0;
    const float difference = fabsf(got - want);
    /* A reference that is NaN vouches for nothing. */
    return isnan(difference) ? INFINITY : difference;
}

static void deviation_look(const float *got, const float *reference, int64_t at, int64_t length,
                           int64_t n, struct check_deviation *result) {
    for (int64_t i = at; i < at + length; i++, got++) {
        const int nan = isnan(*got);
        const double here = nan ? 0 : deviation(*got, reference[i]);
        if (nan ? result->nan == 0 : here > result->largest && result->nan == 0) {
            result->row = i / n;
            result->col = i % n;
            result->got = *got;
            result->want = reference[i];
        }
        result->nan += nan;
        result->largest = fmax(result->largest, here);
    }
}

static struct check_deviation deviation_band(enum element element, const uint16_t *c,
                                             const float *reference, int64_t n, int64_t begin,
                                             int64_t end) {
    const struct places places = places_of(element);
    const float most = element_coarse(element);
    struct check_deviation band = {.row = -1, .col = -1, .got = NAN, .want = NAN}, *result = &band;
    float got[PIECE];
    int32_t reference_max = 0;
    for (int64_t at = begin; at < end; at += PIECE) {
        const int length = (int)piece_length(at, end);
        int32_t largest = 0, coarse = 0;
        number16_to_floats(element, c + at, got, length);
        for (int i = 0; i < length; i++) {
            const float want = reference[at + i];
            const int32_t difference = size_bits(got[i] - want), size = size_bits(want);
            largest = difference > largest ? difference : largest;
            reference_max = size > reference_max ? size : reference_max;
            coarse += size_value(difference) > most * last_place(places, size);
        }
        band.coarse += coarse;
        if (largest > INFINITY_BITS || size_value(largest) > result->largest)
            deviation_look(got, reference, at, length, n, result);
    }
    band.reference_max = size_value(reference_max);
    return band;
}

enum outcome check_deviation(enum element element, const uint16_t *c, const float *reference,
                             struct shape shape, struct check_deviation *result) {
    struct check_deviation bands[BANDS];
    const int64_t total = shape.m * shape.n;
    *result = (struct check_deviation){.row = -1, .col = -1, .got = NAN, .want = NAN};
#pragma omp parallel for num_threads(team_size(total))
    for (int i = 0; i < BANDS; i++)
        bands[i] = deviation_band(element, c, reference, shape.n, band_begin(total, i),
                                  band_begin(total, i + 1));
    for (int i = 0; i < BANDS; i++) {
        const struct check_deviation *band = &bands[i];
        if (result->nan == 0 && (band->nan > 0 || band->largest > result->largest)) {
            result->row = band->row;
            result->col = band->col;
            result->got = band->got;
            result->want = band->want;
        }
        result->nan += band->nan;
        result->largest = fmax(result->largest, band->largest);
        result->reference_max = fmax(result->reference_max, band->reference_max);
        result->coarse += band->coarse;
    }
    return result->nan > 0 ? OUTCOME_NAN_LEFT : OUTCOME_OK;
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
