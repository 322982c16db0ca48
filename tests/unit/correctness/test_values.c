/* Inputs and judgement of numbers that normals do not have, against products made here in binary64
 * from the tables, infinities and NaN included. */
#include "correctness/numbers/values.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "correctness/numbers/element_bits.h"
#include "correctness/numbers/number16.h"
#include "tests/support/test.h"

#define SEED 4711

static enum element element;
static uint16_t normal[INPUT_TABLE_SIZE], tables[INPUT_TABLES][INPUT_TABLE_SIZE];

static void make_tables(int64_t k) {
    input_table(element, INPUT_NORMAL, 0, normal);
    for (int table = INPUT_VALUES; table < INPUT_TABLES; table++)
        values_table(element, (enum input_kind)table, k, normal, tables[table]);
}

static double at(const uint16_t *table, int i) {
    return (double)number16_to_float(element, table[i]);
}

/* Powers of two times the base, to the last bit, whatever k is. */
TEST(tables_are_powers_of_two_times_the_base) {
    const struct {
        int64_t k;
        int large, small; /* by hand: 15 and 16 less or plus half of log2 k, halved */
    } depths[] = {{1, 8, -8}, {64, 6, -9}, {1024, 5, -10}, {16384, 4, -11}, {131072, 4, -12}};
    for (int d = 0; d < 5; d++) {
        make_tables(depths[d].k);
        for (int i = 0; i < INPUT_TABLE_SIZE; i++) {
            const double base = at(tables[INPUT_VALUES], i);
            assert_true(fabs(base - at(normal, i)) <= 0x1p-13);
            assert_true(at(tables[INPUT_UP], i) == 1024 * base);
            assert_true(at(tables[INPUT_DOWN], i) == base / 1024);
            assert_true(at(tables[INPUT_LARGE], i) == ldexp(base, depths[d].large));
            assert_true(at(tables[INPUT_SMALL], i) == ldexp(base, depths[d].small));
        }
    }
    int subnormal = 0; /* |x| < 2^-4 of a standard normal: 4.98 % */
    for (int i = 0; i < INPUT_TABLE_SIZE; i++)
        subnormal += fabs(at(tables[INPUT_DOWN], i)) < 0x1p-14;
    assert_in_range(subnormal, 3240, 3290);
}

/* The product of a kind's inputs in binary64, rounded once. */
static uint16_t *product(enum input_kind kind, struct shape s) {
    const uint16_t *of_a = tables[values_table_of(kind, INPUT_A)];
    const uint16_t *of_b = tables[values_table_of(kind, INPUT_B)];
    double *a = malloc((size_t)(s.m * s.k) * sizeof *a),
           *b = malloc((size_t)(s.k * s.n) * sizeof *b);
    uint16_t *c = malloc((size_t)(s.m * s.n) * sizeof *c);
    struct values_special special[VALUES_SPECIALS];
    assert_true(a && b && c);
    for (int64_t i = 0; i < s.m * s.k; i++)
        a[i] = (double)number16_to_float(element,
                                         input_element(of_a, SEED, INPUT_A, i / s.k, i % s.k));
    for (int64_t i = 0; i < s.k * s.n; i++)
        b[i] = (double)number16_to_float(element,
                                         input_element(of_b, SEED, INPUT_B, i / s.n, i % s.n));
    values_specials(element, SEED, s, special);
    for (int i = 0; i < VALUES_SPECIALS && kind == INPUT_SPECIAL; i++)
        (special[i].matrix == INPUT_A ? a + special[i].row * s.k
                                      : b + special[i].row * s.n)[special[i].column] =
            (double)number16_to_float(element, special[i].bits);
    for (int64_t i = 0; i < s.m * s.n; i++) {
        double sum = 0;
        for (int64_t k = 0; k < s.k; k++)
            sum += a[i / s.n * s.k + k] * b[k * s.n + i % s.n];
        c[i] = number16_from_float(element, (float)sum);
    }
    free(a);
    free(b);
    return c;
}

static struct values_verdict judged(enum values_class class, const uint16_t *base,
                                    const uint16_t *c, struct shape s) {
    struct values_verdict verdict;
    values_judge(element, class, base, c, s, tables[INPUT_VALUES], SEED, 0.01, &verdict);
    return verdict;
}

static const struct shape shapes[] = {{40, 50, 64}, {33, 20, 1000}, {3, 2, 16}, {1, 1, 4096}};

static void check_right_products(void) {
    for (int i = 0; i < 4; i++) {
        make_tables(shapes[i].k);
        uint16_t *base = product(INPUT_VALUES, shapes[i]);
        for (int class = 0; class < VALUES_CLASSES; class ++) {
            uint16_t *c = product(values_kind((enum values_class) class), shapes[i]);
            const struct values_verdict verdict =
                judged((enum values_class) class, base, c, shapes[i]);
            if (verdict.wrong || verdict.coarse)
                fail_msg("%s, shape %d: C[%d][%d] = %g, not %g",
                         values_word((enum values_class) class), i, (int)verdict.row,
                         (int)verdict.col, verdict.got, verdict.want);
            free(c);
        }
        free(base);
    }
}

TEST(right_products_are_right) {
    check_right_products();
    element = ELEMENT_BF16;
    check_right_products();
    element = ELEMENT_F16;
}

static bool is_normal(double value) {
    return value == 0 || (fabs(value) >= 0x1p-126 && fabs(value) < 0x1p128);
}

/* Of bf16: what values.h says of its ranges, for all depths. */
TEST(tables_of_bf16_stay_normal) {
    element = ELEMENT_BF16;
    for (int64_t k = 1; k <= SHAPE_MAX_SIZE; k *= 4) {
        const double root = sqrt((double)k);
        make_tables(k);
        const double large = at(tables[INPUT_LARGE], 0) / at(tables[INPUT_VALUES], 0);
        assert_true(large * large * root >= 0x1p118 && large * large * root < 0x1p120);
        for (int i = 0; i < INPUT_TABLE_SIZE; i++) {
            const double base = at(tables[INPUT_VALUES], i);
            assert_true(fabs(base - at(normal, i)) <= 0x1p-13 && fabs(base) < 4.5);
            assert_true(at(tables[INPUT_UP], i) == ldexp(base, 110));
            assert_true(at(tables[INPUT_DOWN], i) == ldexp(base, -110));
            assert_true(at(tables[INPUT_LARGE], i) == large * base);
            assert_true(at(tables[INPUT_SMALL], i) == ldexp(base, -51));
            for (int table = INPUT_VALUES; table < INPUT_TABLES; table++)
                assert_true(is_normal(at(tables[table], i)));
        }
    }
    element = ELEMENT_F16;
}

/* A kernel whose numbers pass through binary16 gives no number at all, or zeros. */
TEST(what_binary16_does_not_hold_is_wrong) {
    const struct shape s = shapes[0];
    element = ELEMENT_BF16;
    make_tables(s.k);
    uint16_t *base = product(INPUT_VALUES, s);
    for (int class = VALUES_LARGE; class <= VALUES_SMALL; class ++) {
        uint16_t *c = product(values_kind((enum values_class) class), s);
        for (int64_t i = 0; i < s.m * s.n; i++) {
            const float value = number16_to_float(element, c[i]);
            c[i] = number16_from_float(
                element, number16_to_float(ELEMENT_F16, number16_from_float(ELEMENT_F16, value)));
        }
        assert_in_range(judged((enum values_class) class, base, c, s).wrong, s.m * s.n - 20,
                        s.m * s.n); /* a few may be 0 */
        free(c);
    }
    free(base);
    element = ELEMENT_F16;
}

TEST(wrong_entries_are_told) {
    const struct shape s = shapes[0];
    make_tables(s.k);
    uint16_t *base = product(INPUT_VALUES, s), *c = product(INPUT_LARGE, s);
    int64_t infinite = 0;
    for (int64_t i = 0; i < s.m * s.n; i++)
        infinite += (c[i] & 0x7fff) == 0x7c00;
    assert_in_range(infinite, s.m * s.n / 50, s.m * s.n / 2);
    for (int64_t i = 0; i < s.m * s.n; i++)
        if ((c[i] & 0x7fff) == 0x7c00)
            c[i]--; /* 65504 */
    struct values_verdict verdict = judged(VALUES_LARGE, base, c, s);
    assert_in_range(verdict.wrong, infinite - infinite / 8, infinite); /* some are near 65520 */
    assert_true(isinf(verdict.want));
    free(c);
    c = product(INPUT_SMALL, s);
    for (int64_t i = 0; i < s.m * s.n; i++)
        c[i] = (c[i] & 0x7c00) ? c[i] : 0; /* flushed */
    assert_true(judged(VALUES_SMALL, base, c, s).wrong > s.m * s.n / 2);
    free(c);
    c = product(INPUT_SCALED, s);
    c[7]++;
    verdict = judged(VALUES_SCALED, base, c, s);
    assert_int_equal(verdict.wrong + verdict.coarse, 0);
    c[s.n + 3] = ELEMENT_NAN;
    verdict = judged(VALUES_SCALED, base, c, s);
    assert_int_equal(verdict.wrong, 1);
    assert_int_equal(verdict.row, 1);
    assert_int_equal(verdict.col, 3);
    free(c);
    free(base);
}

/* Of entries that lie far apart in C, all are counted, and the first wrong one is told even behind
 * a coarse one. */
TEST(entries_far_apart_are_put_together) {
    const struct shape s = {600, 500, 64};
    const size_t bytes = (size_t)(s.m * s.n) * sizeof(uint16_t);
    uint16_t *base = malloc(bytes), *c = malloc(bytes);
    assert_true(base && c);
    make_tables(s.k);
    for (int64_t i = 0; i < s.m * s.n; i++)
        base[i] = (uint16_t)(0x4000 + i % 0x400); /* from 2 up, in steps of 2^-9 */
    memcpy(c, base, bytes);
    c[10 * s.n + 4] += 4; /* 2^-7 off, below the tolerance of 0.01: coarse */
    assert_int_equal(judged(VALUES_SCALED, base, c, s).row, 10);
    c[300 * s.n + 5] = c[599 * s.n + 499] = ELEMENT_NAN;
    c[450 * s.n + 6] ^= 0x8000;
    const struct values_verdict verdict = judged(VALUES_SCALED, base, c, s);
    assert_int_equal(verdict.coarse, 1);
    assert_int_equal(verdict.wrong, 3);
    assert_int_equal(verdict.row, 300);
    assert_int_equal(verdict.col, 5);
    free(c);
    free(base);
}

TEST(classes_of_special_entries_are_told) {
    const struct shape s = shapes[0];
    make_tables(s.k);
    uint16_t *base = product(INPUT_VALUES, s), *c = product(INPUT_SPECIAL, s);
    int64_t nan = -1, infinite = -1, finite = -1;
    for (int64_t i = 0; i < s.m * s.n; i++)
        *(element_is_nan(ELEMENT_F16, c[i]) ? &nan
          : (c[i] & 0x7fff) == 0x7c00       ? &infinite
                                            : &finite) = i;
    assert_true(nan >= 0 && infinite >= 0 && finite >= 0);
    const struct {
        int64_t at;
        uint16_t bits;
        int wrong;
    } changes[] = {
        {nan, 0x3c00, 1},           {nan, 0x7c00, 1},
        {infinite, 0x3c00, 1},      {infinite, (uint16_t)(c[infinite] ^ 0x8000), 1},
        {infinite, ELEMENT_NAN, 0}, {finite, ELEMENT_NAN, 0},
        {finite, 0x7c00, 0},        {finite, 0x6400, 1}, /* 1024 */
    };
    for (size_t i = 0; i < sizeof changes / sizeof *changes; i++) {
        const uint16_t was = c[changes[i].at];
        c[changes[i].at] = changes[i].bits;
        const struct values_verdict verdict = judged(VALUES_SPECIAL, base, c, s);
        assert_int_equal(verdict.wrong, changes[i].wrong);
        c[changes[i].at] = was;
    }
    free(c);
    free(base);
}
