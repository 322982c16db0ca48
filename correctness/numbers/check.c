#include "correctness/numbers/check.h"

#include <math.h>
#include <string.h>

#include "candidates/gemmgate.h"
#include "correctness/numbers/half.h"

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

/* half_ulp without branches; of what is beyond binary16 the last place that it would have. */
static inline float last_place(int32_t size) {
    const int32_t least = 103 << 23, place = (size & INFINITY_BITS) - (10 << 23); /* 2^-24 */
    return size_value(place > least ? place : least);
}

static int64_t piece_length(int64_t at, int64_t total) {
    return total - at < PIECE ? total - at : PIECE;
}

static int is_exact(uint16_t c, float reference) {
    const uint16_t want = half_from_float(reference);
    return c == want || ((c | want) & 0x7fff) == 0;
}

static void exact_look(const uint16_t *c, const float *reference, int64_t at, int64_t length,
                       int64_t n, struct check_exact *result) {
    for (int64_t i = at; i < at + length; i++) {
        const int nan = half_is_nan(c[i]);
        const int wrong = fabsf(reference[i]) < CHECK_EXACT_LIMIT && !is_exact(c[i], reference[i]);
        result->nan += nan;
        result->wrong += wrong;
        if ((nan || wrong) && result->row < 0) {
            result->row = i / n;
            result->col = i % n;
            result->got = half_to_float(c[i]);
            result->want = reference[i];
        }
    }
}

static struct check_exact exact_band(const uint16_t *c, const float *reference, int64_t n,
                                     int64_t begin, int64_t end) {
    struct check_exact band = {.row = -1, .col = -1, .got = NAN, .want = NAN}, *result = &band;
    float got[PIECE];
    for (int64_t at = begin; at < end; at += PIECE) {
        const int length = (int)piece_length(at, end);
        int32_t compared = 0, suspect = 0;
        half_to_floats(c + at, got, length);
        for (int i = 0; i < length; i++) {
            const float want = reference[at + i];
            const int32_t small = fabsf(want) < CHECK_EXACT_LIMIT;
            compared += small;
            suspect |= (small & (got[i] != want)) | (got[i] != got[i]);
        }
        result->compared += compared;
        if (suspect)
            exact_look(c, reference, at, length, n, result);
    }
    return band;
}

enum outcome check_exact(const uint16_t *c, const float *reference, struct shape shape,
                         struct check_exact *result) {
    struct check_exact bands[BANDS];
    const int64_t total = shape.m * shape.n;
    *result = (struct check_exact){.total = total, .row = -1, .col = -1, .got = NAN, .want = NAN};
#pragma omp parallel for
    for (int i = 0; i < BANDS; i++)
        bands[i] =
            exact_band(c, reference, shape.n, band_begin(total, i), band_begin(total, i + 1));
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

static struct check_deviation deviation_band(const uint16_t *c, const float *reference, int64_t n,
                                             int64_t begin, int64_t end) {
    struct check_deviation band = {.row = -1, .col = -1, .got = NAN, .want = NAN}, *result = &band;
    float got[PIECE];
    int32_t reference_max = 0;
    for (int64_t at = begin; at < end; at += PIECE) {
        const int length = (int)piece_length(at, end);
        int32_t largest = 0, coarse = 0;
        half_to_floats(c + at, got, length);
        for (int i = 0; i < length; i++) {
            const float want = reference[at + i];
            const int32_t difference = size_bits(got[i] - want), size = size_bits(want);
            largest = difference > largest ? difference : largest;
            reference_max = size > reference_max ? size : reference_max;
            coarse += size_value(difference) > HALF_COARSE * last_place(size);
        }
        band.coarse += coarse;
        if (largest > INFINITY_BITS || size_value(largest) > result->largest)
            deviation_look(got, reference, at, length, n, result);
    }
    band.reference_max = size_value(reference_max);
    return band;
}

enum outcome check_deviation(const uint16_t *c, const float *reference, struct shape shape,
                             struct check_deviation *result) {
    struct check_deviation bands[BANDS];
    const int64_t total = shape.m * shape.n;
    *result = (struct check_deviation){.row = -1, .col = -1, .got = NAN, .want = NAN};
#pragma omp parallel for
    for (int i = 0; i < BANDS; i++)
        bands[i] =
            deviation_band(c, reference, shape.n, band_begin(total, i), band_begin(total, i + 1));
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

double check_bound(double baseline_largest, double reference_max, int64_t k, int32_t accumulate) {
    const double accumulation = (double)k * (0x1p-24 + 0x1p-26 * reference_max);
    if (accumulate == GEMM_F16)
        return 1.25 * baseline_largest + accumulation;
    return fmax(baseline_largest, half_ulp((float)reference_max) / 2) + accumulation;
}
