#include "correctness/numbers/values.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "bench/base/error.h"
#include "correctness/numbers/half.h"

#define QUANTUM 0x1p-12
#define UP 10
#define SMALLEST_INFINITE 65520.0

const char *values_word(enum values_class class) {
    static const char *const words[] = {"scaled", "large", "small", "special"};
    return words[class];
}

enum input_kind values_kind(enum values_class class) {
    static const enum input_kind kinds[] = {INPUT_SCALED, INPUT_LARGE, INPUT_SMALL, INPUT_SPECIAL};
    return kinds[class];
}

enum input_kind values_table_of(enum input_kind kind, enum input_matrix matrix) {
    if (kind == INPUT_SCALED)
        return matrix == INPUT_A ? INPUT_UP : INPUT_DOWN;
    return kind == INPUT_SPECIAL ? INPUT_VALUES : kind;
}

/* The standard deviation of C is the root of k. That of `large` is from 2^15 to 2^17, that of
 * `small` from 2^-16 to 2^-14. */
static int exponent_of(enum input_kind table, int64_t k) {
    const double root = log2((double)k) / 2;
    switch (table) {
    case INPUT_UP:
        return UP;
    case INPUT_DOWN:
        return -UP;
    case INPUT_LARGE:
        return (int)ceil((15 - root) / 2);
    case INPUT_SMALL:
        return -(int)floor((16 + root) / 2);
    default:
        return 0;
    }
}

void values_table(enum input_kind table, int64_t k, const uint16_t normal[INPUT_TABLE_SIZE],
                  uint16_t out[INPUT_TABLE_SIZE]) {
    const int exponent = exponent_of(table, k);
    for (int i = 0; i < INPUT_TABLE_SIZE; i++) {
        const double rounded = rint((double)half_to_float(normal[i]) / QUANTUM) * QUANTUM;
        out[i] = half_from_float((float)ldexp(rounded, exponent));
    }
}

void values_specials(uint64_t seed, struct shape shape,
                     struct values_special list[VALUES_SPECIALS]) {
    static const uint16_t bits[VALUES_SPECIALS / 2] = {0x7c00, 0xfc00, 0x7e00, 0x7bff, 0xfbff};
    for (int i = 0; i < VALUES_SPECIALS; i++) {
        const bool of_a = i < VALUES_SPECIALS / 2;
        const uint64_t row = seed_derive(seed, SEED_PLACE, 2 * (uint64_t)i);
        const uint64_t column = seed_derive(seed, SEED_PLACE, 2 * (uint64_t)i + 1);
        list[i] = (struct values_special){
            .matrix = of_a ? INPUT_A : INPUT_B,
            .row = (int64_t)(row % (uint64_t)(of_a ? shape.m : shape.k)),
            .column = (int64_t)(column % (uint64_t)(of_a ? shape.k : shape.n)),
            .bits = bits[i % (VALUES_SPECIALS / 2)]};
    }
    /* Two at one place: the first counts. */
    for (int i = 1; i < VALUES_SPECIALS; i++)
        for (int j = i - 1; j >= 0; j--)
            if (list[i].matrix == list[j].matrix && list[i].row == list[j].row &&
                list[i].column == list[j].column)
                list[i].bits = list[j].bits;
}

/* C in bands that threads take; results are put together in the order of the bands. */
enum { BANDS = 256, ONE_CORE_ENTRIES = 1 << 14 }; /* so few are no work for more than one */

/* A product beside the base: what all bands of it are judged by. */
struct judged {
    const uint16_t *base, *c;
    struct shape shape;
    double scale, tolerance;
    const uint16_t *expected;        /* what becomes of each binary16 when it is scaled */
    const struct specials *specials; /* or these, and the columns that they are in */
    const unsigned char *in_column;
};

static const struct values_verdict blank = {.row = -1, .col = -1, .got = NAN, .want = NAN};

static void point(struct values_verdict *verdict, bool wrong, int64_t at, struct shape shape,
                  double got, double want) {
    const bool first = wrong ? verdict->wrong == 0 : verdict->wrong + verdict->coarse == 0;
    verdict->wrong += wrong;
    verdict->coarse += !wrong;
    if (!first)
        return;
    verdict->row = at / shape.n;
    verdict->col = at % shape.n;
    verdict->got = got;
    verdict->want = fabs(want) >= SMALLEST_INFINITE ? copysign(INFINITY, want) : want;
}

/* An entry whose exact value is about `want`, as the base has it, with an error of `tolerance`. */
static void judge_entry(uint16_t bits, double want, double tolerance, int64_t at,
                        struct shape shape, struct values_verdict *verdict) {
    const uint16_t expected = half_from_float((float)want);
    if (bits == expected || ((bits | expected) & 0x7fff) == 0)
        return;
    verdict->other++;
    const double got = (double)half_to_float(bits);
    const double place = (double)half_ulp((float)fmin(fabs(want), 65504));
    const double allowed = fmax(2 * (double)HALF_COARSE * place, tolerance);
    if (isnan(got))
        point(verdict, true, at, shape, got, want);
    else if (isinf(got) || fabs(want) >= SMALLEST_INFINITE) {
        const bool near = fabs(fabs(want) - SMALLEST_INFINITE) <= allowed &&
                          signbit(got) == signbit(want) &&
                          fabs(got) >= SMALLEST_INFINITE - 2 * allowed;
        if (!near)
            point(verdict, true, at, shape, got, want);
    } else if (fabs(got - want) > 2 * (double)HALF_COARSE * place) {
        point(verdict, fabs(got - want) > allowed, at, shape, got, want);
    }
}

/* The specials, and what exact arithmetic makes of them. */
struct specials {
    struct values_special list[VALUES_SPECIALS];
    const uint16_t *table; /* of the base */
    uint64_t seed;
    struct shape shape;
    const uint16_t *base;
};

static double element(const struct specials *s, enum input_matrix matrix, int64_t row,
                      int64_t column, bool special) {
    for (int i = 0; i < VALUES_SPECIALS && special; i++)
        if (s->list[i].matrix == matrix && s->list[i].row == row && s->list[i].column == column)
            return (double)half_to_float(s->list[i].bits);
    return (double)half_to_float(input_element(s->table, s->seed, matrix, row, column));
}

/* Exact but for the base's rounding; infinities and NaN as in IEEE 754. */
static double special_entry(const struct specials *s, int64_t row, int64_t column) {
    double value = (double)half_to_float(s->base[row * s->shape.n + column]);
    int64_t met[VALUES_SPECIALS];
    int count = 0;
    for (int i = 0; i < VALUES_SPECIALS; i++) {
        const struct values_special *special = &s->list[i];
        const bool of_a = special->matrix == INPUT_A;
        const int64_t at = of_a ? special->column : special->row;
        bool known = of_a ? special->row != row : special->column != column;
        for (int j = 0; j < count && !known; j++)
            known = met[j] == at;
        if (known)
            continue;
        met[count++] = at;
        value -= element(s, INPUT_A, row, at, false) * element(s, INPUT_B, at, column, false);
        value += element(s, INPUT_A, row, at, true) * element(s, INPUT_B, at, column, true);
    }
    return value;
}

/* Partial sums in binary16 may be off by so much, or overflow on the way. */
static double unsure(struct shape shape) {
    return 32 * sqrt((double)shape.k);
}

/* What 65504 * b leaves in binary32 sums from which it is taken off again: 2^-24 of it is a 256th
 * of b, and there are some such sums. */
static double beside_large(struct shape shape) {
    return sqrt((double)shape.k) / 16;
}

static void judge_class(uint16_t bits, double want, int64_t at, struct shape shape,
                        struct values_verdict *verdict) {
    const double got = (double)half_to_float(bits);
    const bool infinite = fabs(want) >= SMALLEST_INFINITE + unsure(shape);
    const bool finite = fabs(want) <= SMALLEST_INFINITE - unsure(shape);
    if (isnan(got))
        verdict->spread += !isnan(want);
    else if (isnan(want) || (infinite && (isfinite(got) || signbit(got) != signbit(want))))
        point(verdict, true, at, shape, got, want);
    else if (finite && isinf(got))
        verdict->spread++;
}

/* An entry without a special operand. */
static void judge_beside(uint16_t bits, uint16_t base, double tolerance, int64_t at,
                         struct shape shape, struct values_verdict *verdict) {
    const double got = (double)half_to_float(bits), want = (double)half_to_float(base);
    if (!isfinite(got))
        verdict->spread++;
    else if (!(fabs(got - want) <= tolerance + beside_large(shape)))
        point(verdict, true, at, shape, got, want);
}

/* The columns of C that a special element of B is in, one byte each; the caller frees. */
static unsigned char *special_columns(const struct specials *s) {
    unsigned char *in_column = calloc((size_t)s->shape.n, 1);
    for (int i = 0; i < VALUES_SPECIALS && in_column; i++)
        if (s->list[i].matrix == INPUT_B)
            in_column[s->list[i].column] = 1;
    return in_column;
}

static bool is_special_row(const struct specials *s, int64_t row) {
    bool in_row = false;
    for (int i = 0; i < VALUES_SPECIALS; i++)
        in_row |= s->list[i].matrix == INPUT_A && s->list[i].row == row;
    return in_row;
}

static void special_band(const struct judged *judged, int64_t begin, int64_t end,
                         struct values_verdict *verdict) {
    const struct shape shape = judged->shape;
    const uint16_t *c = judged->c, *base = judged->base;
    for (int64_t at = begin; at < end;) {
        const int64_t row = at / shape.n, row_end = (row + 1) * shape.n;
        const bool in_row = is_special_row(judged->specials, row);
        for (int64_t column = at % shape.n; at < end && at < row_end; at++, column++)
            if (in_row || judged->in_column[column])
                judge_class(c[at], special_entry(judged->specials, row, column), at, shape,
                            verdict);
            else if (c[at] != base[at])
                judge_beside(c[at], base[at], judged->tolerance, at, shape, verdict);
    }
}

static void scaled_band(const struct judged *judged, int64_t begin, int64_t end,
                        struct values_verdict *verdict) {
    const uint16_t *c = judged->c, *base = judged->base;
    for (int64_t i = begin; i < end; i++)
        if (c[i] != judged->expected[base[i]] || (c[i] & 0x7fff) > 0x7c00)
            judge_entry(c[i], judged->scale * (double)half_to_float(base[i]),
                        judged->scale * judged->tolerance, i, judged->shape, verdict);
}

static void join(struct values_verdict *all, const struct values_verdict *band) {
    if (band->wrong > 0 ? all->wrong == 0 : band->coarse > 0 && all->wrong + all->coarse == 0) {
        all->row = band->row;
        all->col = band->col;
        all->got = band->got;
        all->want = band->want;
    }
    all->wrong += band->wrong;
    all->coarse += band->coarse;
    all->other += band->other;
    all->spread += band->spread;
}

static void judge_bands(const struct judged *judged, struct values_verdict *verdict) {
    const int64_t total = judged->shape.m * judged->shape.n, one = total / BANDS + 1;
    struct values_verdict bands[BANDS];
#pragma omp parallel for schedule(dynamic) if (total > ONE_CORE_ENTRIES)
    for (int i = 0; i < BANDS; i++) {
        const int64_t begin = i * one, end = begin + one < total ? begin + one : total;
        bands[i] = blank;
        if (judged->specials)
            special_band(judged, begin, end, &bands[i]);
        else
            scaled_band(judged, begin, end, &bands[i]);
    }
    for (int i = 0; i < BANDS; i++)
        join(verdict, &bands[i]);
}

/* What becomes of each binary16 when it is scaled. */
static void scale_all(double scale, uint16_t expected[INPUT_TABLE_SIZE]) {
    for (int bits = 0; bits < INPUT_TABLE_SIZE; bits++)
        expected[bits] = half_from_float((float)(scale * (double)half_to_float((uint16_t)bits)));
}

int values_judge(enum values_class class, const uint16_t *base, const uint16_t *c,
                 struct shape shape, const uint16_t table[INPUT_TABLE_SIZE], uint64_t seed,
                 double tolerance, struct values_verdict *verdict) {
    static uint16_t expected[INPUT_TABLE_SIZE];
    struct judged judged = {.base = base, .c = c, .shape = shape, .tolerance = tolerance};
    *verdict = blank;
    if (class == VALUES_SPECIAL) {
        struct specials specials = {.table = table, .seed = seed, .shape = shape, .base = base};
        values_specials(seed, shape, specials.list);
        unsigned char *in_column = special_columns(&specials);
        if (!in_column)
            return error("no memory to judge a product");
        judged.specials = &specials;
        judged.in_column = in_column;
        judge_bands(&judged, verdict);
        free(in_column);
        return 0;
    }
    const enum input_kind kind = values_kind(class);
    const int exponent = exponent_of(values_table_of(kind, INPUT_A), shape.k) +
                         exponent_of(values_table_of(kind, INPUT_B), shape.k);
    judged.scale = ldexp(1, exponent);
    judged.expected = expected;
    scale_all(judged.scale, expected);
    judge_bands(&judged, verdict);
    return 0;
}

void values_copy(const uint16_t *c, struct shape shape, uint16_t *base) {
    const int64_t total = shape.m * shape.n, one = total / BANDS + 1;
#pragma omp parallel for if (total > ONE_CORE_ENTRIES)
    for (int i = 0; i < BANDS; i++) {
        const int64_t begin = i * one, end = begin + one < total ? begin + one : total;
        if (begin < end)
            memcpy(base + begin, c + begin, (size_t)(end - begin) * sizeof *c);
    }
}
