#include "correctness/numbers/values.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "bench/base/cores.h"
#include "bench/base/need.h"
#include "correctness/numbers/element_bits.h"
#include "correctness/numbers/number16.h"

#define QUANTUM 0x1p-12

/* The numbers that values.h states for each element. */
static const struct range {
    int up;              /* `scaled` is 2^up A * 2^-up B */
    int large;           /* the standard deviation of C of `large` is from 2^large to 2^(large+2) */
    int small;           /* that of `small` is from 2^-small to 2^(2-small); 0: each matrix is */
    int each_small;      /* ... scaled by 2^-each_small, whatever k is */
    uint16_t large_bits; /* the number that is put into `special` with either sign */
    double unsure_of_k;  /* what is unsure at the largest number: times the root of k, */
    double unsure;       /* and besides, as a share of that number */
} ranges[ELEMENT_COUNT] = {
    [ELEMENT_F16] = {.up = 10, .large = 15, .small = 16, .large_bits = 0x7bff, .unsure_of_k = 32},
    [ELEMENT_BF16] = {.up = 110,
                      .large = 118,
                      .each_small = 51,
                      .large_bits = 0x477f, /* 65280 */
                      .unsure = 0x1p-7},
};

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

/* The standard deviation of C is the root of k. */
static int exponent_of(enum element element, enum input_kind table, int64_t k) {
    const struct range *range = &ranges[element];
    const double root = log2((double)k) / 2;
    switch (table) {
    case INPUT_UP:
        return range->up;
    case INPUT_DOWN:
        return -range->up;
    case INPUT_LARGE:
        return (int)ceil((range->large - root) / 2);
    case INPUT_SMALL:
        return range->each_small ? -range->each_small : -(int)floor((range->small + root) / 2);
    default:
        return 0;
    }
}

void values_table(enum element element, enum input_kind table, int64_t k,
                  const uint16_t normal[INPUT_TABLE_SIZE], uint16_t out[INPUT_TABLE_SIZE]) {
    const int exponent = exponent_of(element, table, k);
    for (int i = 0; i < INPUT_TABLE_SIZE; i++) {
        const double rounded =
            rint((double)number16_to_float(element, normal[i]) / QUANTUM) * QUANTUM;
        out[i] = number16_from_float(element, (float)ldexp(rounded, exponent));
    }
}

void values_specials(enum element element, uint64_t seed, struct shape shape,
                     struct values_special list[VALUES_SPECIALS]) {
    /* In this order: gcc 13 warns of a third element where the switch of element_infinity is first.
     */
    const uint16_t large = ranges[element].large_bits, infinity = element_infinity(element);
    const uint16_t nan = (uint16_t)(infinity | 1 << (element_digits(element) - 2));
    const uint16_t bits[VALUES_SPECIALS / 2] = {infinity, infinity | 0x8000, nan, large,
                                                large | 0x8000};
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
enum { BANDS = 256 };

/* A product beside the base: what all bands of it are judged by. */
struct judged {
    enum element element;
    const uint16_t *base, *c;
    struct shape shape;
    double scale, tolerance;
    const uint16_t *expected;        /* what becomes of each number when it is scaled */
    const struct specials *specials; /* or these, and the columns that they are in */
    const unsigned char *in_column;
};

static const struct values_verdict blank = {.row = -1, .col = -1, .got = NAN, .want = NAN};

static double overflow(enum element element) {
    return (double)number16_overflow(element);
}

static double value_of(const struct judged *judged, uint16_t bits) {
    return (double)number16_to_float(judged->element, bits);
}

static void point(const struct judged *judged, struct values_verdict *verdict, bool wrong,
                  int64_t at, double got, double want) {
    const bool first = wrong ? verdict->wrong == 0 : verdict->wrong + verdict->coarse == 0;
    verdict->wrong += wrong;
    verdict->coarse += !wrong;
    if (!first)
        return;
    verdict->row = at / judged->shape.n;
    verdict->col = at % judged->shape.n;
    verdict->got = got;
    verdict->want = fabs(want) >= overflow(judged->element) ? copysign(INFINITY, want) : want;
}

/* An entry whose exact value is about `want`, as the base has it. */
static void judge_entry(const struct judged *judged, uint16_t bits, double want, int64_t at,
                        struct values_verdict *verdict) {
    const enum element element = judged->element;
    const uint16_t expected = number16_from_float(element, (float)want);
    const double infinite = overflow(element), coarse = 2 * (double)element_coarse(element);
    if (bits == expected || ((bits | expected) & 0x7fff) == 0)
        return;
    const double got = value_of(judged, bits);
    const double most = value_of(judged, element_largest(element));
    const double place = (double)number16_ulp(element, (float)fmin(fabs(want), most));
    const double allowed = fmax(coarse * place, judged->scale * judged->tolerance);
    if (isnan(got))
        point(judged, verdict, true, at, got, want);
    else if (isinf(got) || fabs(want) >= infinite) {
        const bool near = fabs(fabs(want) - infinite) <= allowed && signbit(got) == signbit(want) &&
                          fabs(got) >= infinite - 2 * allowed;
        if (!near)
            point(judged, verdict, true, at, got, want);
    } else if (fabs(got - want) > coarse * place) {
        point(judged, verdict, fabs(got - want) > allowed, at, got, want);
    }
}

/* The specials, and what exact arithmetic makes of them. */
struct specials {
    enum element element;
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
            return (double)number16_to_float(s->element, s->list[i].bits);
    return (double)number16_to_float(s->element,
                                     input_element(s->table, s->seed, matrix, row, column));
}

/* Exact but for the base's rounding; infinities and NaN as in IEEE 754. */
static double special_entry(const struct specials *s, int64_t row, int64_t column) {
    double value = (double)number16_to_float(s->element, s->base[row * s->shape.n + column]);
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

/* Partial sums in 16 bits may be off by so much, or overflow on the way. */
static double unsure(const struct judged *judged) {
    const struct range *range = &ranges[judged->element];
    return range->unsure_of_k * sqrt((double)judged->shape.k) +
           range->unsure * overflow(judged->element);
}

/* What 65504 * b leaves in binary32 sums from which it is taken off again: 2^-24 of it is a 256th
 * of b, and there are some such sums. */
static double beside_large(struct shape shape) {
    return sqrt((double)shape.k) / 16;
}

static void judge_class(const struct judged *judged, double want, int64_t at,
                        struct values_verdict *verdict) {
    const double got = value_of(judged, judged->c[at]);
    const bool infinite = fabs(want) >= overflow(judged->element) + unsure(judged);
    if (!isnan(got) &&
        (isnan(want) || (infinite && (isfinite(got) || signbit(got) != signbit(want)))))
        point(judged, verdict, true, at, got, want);
}

/* An entry without a special operand. */
static void judge_beside(const struct judged *judged, int64_t at, struct values_verdict *verdict) {
    const double got = value_of(judged, judged->c[at]), want = value_of(judged, judged->base[at]);
    if (isfinite(got) && !(fabs(got - want) <= judged->tolerance + beside_large(judged->shape)))
        point(judged, verdict, true, at, got, want);
}

/* The columns of C that a special element of B is in, one byte each; the caller frees. */
static unsigned char *special_columns(const struct specials *s) {
    unsigned char *in_column = need((size_t)s->shape.n, 1);
    for (int i = 0; i < VALUES_SPECIALS; i++)
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
                judge_class(judged, special_entry(judged->specials, row, column), at, verdict);
            else if (c[at] != base[at])
                judge_beside(judged, at, verdict);
    }
}

static void scaled_band(const struct judged *judged, int64_t begin, int64_t end,
                        struct values_verdict *verdict) {
    const uint16_t *c = judged->c, *base = judged->base;
    for (int64_t i = begin; i < end; i++)
        if (c[i] != judged->expected[base[i]] || element_is_nan(judged->element, c[i]))
            judge_entry(judged, c[i], judged->scale * value_of(judged, base[i]), i, verdict);
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
}

static void judge_bands(const struct judged *judged, struct values_verdict *verdict) {
    const int64_t total = judged->shape.m * judged->shape.n, one = total / BANDS + 1;
    struct values_verdict bands[BANDS];
#pragma omp parallel for schedule(dynamic) num_threads(team_size(total))
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

/* Scales each number. */
static void scale_all(enum element element, double scale, uint16_t expected[INPUT_TABLE_SIZE]) {
    for (int bits = 0; bits < INPUT_TABLE_SIZE; bits++) {
        const double value = (double)number16_to_float(element, (uint16_t)bits);
        expected[bits] = number16_from_float(element, (float)(scale * value));
    }
}

void values_judge(enum element element, enum values_class class, const uint16_t *base,
                  const uint16_t *c, struct shape shape, const uint16_t table[INPUT_TABLE_SIZE],
                  uint64_t seed, double tolerance, struct values_verdict *verdict) {
    static uint16_t expected[INPUT_TABLE_SIZE];
    struct judged judged = {
        .element = element, .base = base, .c = c, .shape = shape, .tolerance = tolerance};
    *verdict = blank;
    if (class == VALUES_SPECIAL) {
        struct specials specials = {
            .element = element, .table = table, .seed = seed, .shape = shape, .base = base};
        values_specials(element, seed, shape, specials.list);
        unsigned char *in_column = special_columns(&specials);
        judged.specials = &specials;
        judged.in_column = in_column;
        judge_bands(&judged, verdict);
        free(in_column);
        return;
    }
    const enum input_kind kind = values_kind(class);
    const int exponent = exponent_of(element, values_table_of(kind, INPUT_A), shape.k) +
                         exponent_of(element, values_table_of(kind, INPUT_B), shape.k);
    judged.scale = ldexp(1, exponent);
    judged.expected = expected;
    scale_all(element, judged.scale, expected);
    judge_bands(&judged, verdict);
}
