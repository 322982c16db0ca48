
#include <math.h>
#include <string.h>

#include "candidates/gemmgate.h"
#include "correctness/numbers/check.h"
#include "correctness/numbers/element_bits.h"
#include "correctness/numbers/input.h"
#include "correctness/numbers/number16.h"
#include "tests/support/test.h"

/* Neither size divides anything, and the checks' pieces end inside rows. */
enum { ROWS = 67, COLS = 131, TOTAL = ROWS * COLS };
static const struct shape shape = {ROWS, COLS, 1};

static uint16_t c[TOTAL];
static float reference[TOTAL];
static struct check_exact exact;
static struct check_deviation deviation;

/* Places for a planted fault: ends, and both sides of likely piece and vector boundaries. */
static const int places[] = {0,    1,    7,    8,    130,  131,  2047,
                             2048, 4095, 4096, 5000, 8191, 8192, TOTAL - 1};
enum { PLACES = sizeof places / sizeof *places };

/* Counts from 0 to 2047, C just that. */
static int fill_counts(void **state) {
    (void)state;
    for (int i = 0; i < TOTAL; i++) {
        reference[i] = (float)(seed_derive(3, SEED_CHECK, (uint64_t)i) % 2048);
        c[i] = number16_from_float(ELEMENT_F16, reference[i]);
    }
    return 0;
}

/* Sums of about 40 products of normals, C their roundings. */
static int fill_sums(void **state) {
    (void)state;
    static uint16_t table[INPUT_TABLE_SIZE];
    input_table(ELEMENT_F16, INPUT_NORMAL, 0, table);
    input_fill_float(ELEMENT_F16, table, 17, INPUT_A, ROWS, COLS, reference);
    for (int i = 0; i < TOTAL; i++) {
        reference[i] *= 6.3001f;
        c[i] = number16_from_float(ELEMENT_F16, reference[i]);
    }
    return 0;
}

TEST_WITH(exact_passes_the_right_product, fill_counts, NULL) {
    assert_int_equal(check_exact(ELEMENT_F16, c, reference, shape, &exact), OUTCOME_OK);
    assert_int_equal(exact.compared, TOTAL);
    assert_int_equal(exact.total, TOTAL);
    assert_int_equal(exact.wrong, 0);
    assert_int_equal(exact.nan, 0);
    assert_int_equal(exact.place.row, -1);
    assert_int_equal(exact.place.col, -1);
    assert_true(isnan(exact.place.got) && isnan(exact.place.want));
}

TEST_WITH(exact_catches_one_bit_anywhere, fill_counts, NULL) {
    for (int p = 0; p < PLACES; p++) {
        const int at = places[p];
        for (int bit = 0; bit < 16; bit++) {
            const uint16_t right = c[at];
            if (right == 0 && bit == 15)
                continue; /* a zero's sign: see below */
            c[at] ^= (uint16_t)(1 << bit);
            const int nan = element_is_nan(ELEMENT_F16, c[at]);
            assert_int_equal(check_exact(ELEMENT_F16, c, reference, shape, &exact),
                             nan ? OUTCOME_NAN_LEFT : OUTCOME_INEXACT);
            assert_int_equal(exact.wrong, 1);
            assert_int_equal(exact.nan, nan);
            assert_int_equal(exact.place.row, at / COLS);
            assert_int_equal(exact.place.col, at % COLS);
            assert_true(exact.place.want == reference[at]);
            assert_true(nan ? isnan(exact.place.got)
                            : exact.place.got == number16_to_float(ELEMENT_F16, c[at]));
            c[at] = right;
        }
    }
}

TEST_WITH(exact_takes_either_zero, fill_counts, NULL) {
    reference[5] = 0;
    c[5] = 0x8000;
    reference[6] = -0.0f;
    c[6] = 0;
    assert_int_equal(check_exact(ELEMENT_F16, c, reference, shape, &exact), OUTCOME_OK);
    reference[7] = 1;
    c[7] = 0;
    assert_int_equal(check_exact(ELEMENT_F16, c, reference, shape, &exact), OUTCOME_INEXACT);
    assert_int_equal(exact.wrong, 1);
    assert_int_equal(exact.place.col, 7);
}

TEST_WITH(exact_compares_below_the_limit_only, fill_counts, NULL) {
    reference[9] = 2048;
    reference[10] = 5000;
    reference[11] = -2048;
    c[9] = c[10] = c[11] = 0;
    assert_int_equal(check_exact(ELEMENT_F16, c, reference, shape, &exact), OUTCOME_OK);
    assert_int_equal(exact.compared, TOTAL - 3);
    reference[12] = 2047;
    c[12] = number16_from_float(ELEMENT_F16, 2048);
    assert_int_equal(check_exact(ELEMENT_F16, c, reference, shape, &exact), OUTCOME_INEXACT);
    assert_int_equal(exact.compared, TOTAL - 3);
    assert_int_equal(exact.place.col, 12);
}

TEST_WITH(exact_sees_nan_where_nothing_is_compared, fill_counts, NULL) {
    const uint16_t nans[] = {ELEMENT_NAN, 0x7c01, 0xfe00};
    reference[4096] = 3000;
    for (int i = 0; i < 3; i++) {
        c[4096] = nans[i];
        assert_int_equal(check_exact(ELEMENT_F16, c, reference, shape, &exact), OUTCOME_NAN_LEFT);
        assert_int_equal(exact.nan, 1);
        assert_int_equal(exact.wrong, 0);
        assert_int_equal(exact.place.row, 4096 / COLS);
    }
}

/* NaN decides the outcome, the first bad entry the place. */
TEST_WITH(exact_puts_nan_first, fill_counts, NULL) {
    c[100] ^= 1;
    c[6000] = ELEMENT_NAN;
    c[7000] ^= 1;
    assert_int_equal(check_exact(ELEMENT_F16, c, reference, shape, &exact), OUTCOME_NAN_LEFT);
    assert_int_equal(exact.wrong, 3);
    assert_int_equal(exact.nan, 1);
    assert_int_equal(exact.place.row, 0);
    assert_int_equal(exact.place.col, 100);
}

TEST_WITH(exact_refuses_to_pass_on_nothing, fill_counts, NULL) {
    for (int i = 0; i < TOTAL; i++)
        reference[i] += 2048;
    assert_int_equal(check_exact(ELEMENT_F16, c, reference, shape, &exact),
                     OUTCOME_NOTHING_COMPARED);
    assert_int_equal(exact.compared, 0);
    c[TOTAL - 1] = ELEMENT_NAN;
    assert_int_equal(check_exact(ELEMENT_F16, c, reference, shape, &exact), OUTCOME_NAN_LEFT);
}

TEST_WITH(exact_catches_infinity_and_an_untouched_c, fill_counts, NULL) {
    c[3] = 0x7c00;
    assert_int_equal(check_exact(ELEMENT_F16, c, reference, shape, &exact), OUTCOME_INEXACT);
    memset(c, 0xff, sizeof c);
    assert_int_equal(check_exact(ELEMENT_F16, c, reference, shape, &exact), OUTCOME_NAN_LEFT);
    assert_int_equal(exact.nan, TOTAL);
    assert_int_equal(exact.wrong, TOTAL);
}

TEST_WITH(deviation_is_the_largest_difference, fill_sums, NULL) {
    double largest = 0, reference_max = 0;
    int at = -1;
    for (int i = 0; i < TOTAL; i++) {
        const double here = fabs((double)number16_to_float(ELEMENT_F16, c[i]) - reference[i]);
        if (here > largest) {
            largest = here;
            at = i;
        }
        reference_max = fmax(reference_max, fabs((double)reference[i]));
    }
    assert_int_equal(check_deviation(ELEMENT_F16, c, reference, shape, &deviation), OUTCOME_OK);
    assert_true(largest > 0 && deviation.largest == largest);
    assert_true(deviation.reference_max == reference_max);
    assert_int_equal(deviation.place.row, at / COLS);
    assert_int_equal(deviation.place.col, at % COLS);
    assert_true(deviation.place.got == number16_to_float(ELEMENT_F16, c[at]) &&
                deviation.place.want == reference[at]);
    assert_int_equal(deviation.nan, 0);
}

/* Each a hair larger than all before it. */
TEST(deviation_that_creeps_up) {
    for (int i = 0; i < TOTAL; i++) {
        c[i] = element_power(ELEMENT_F16, 0);
        reference[i] = 1 - (float)i * 0x1p-24f;
    }
    assert_int_equal(check_deviation(ELEMENT_F16, c, reference, shape, &deviation), OUTCOME_OK);
    assert_true(deviation.largest == (TOTAL - 1) * 0x1p-24);
    assert_int_equal(deviation.place.row, ROWS - 1);
    assert_int_equal(deviation.place.col, COLS - 1);
}

TEST_WITH(deviation_of_the_reference_itself_is_none, fill_sums, NULL) {
    for (int i = 0; i < TOTAL; i++)
        reference[i] = number16_to_float(ELEMENT_F16, c[i]);
    assert_int_equal(check_deviation(ELEMENT_F16, c, reference, shape, &deviation), OUTCOME_OK);
    assert_true(deviation.largest == 0);
    assert_int_equal(deviation.place.row, -1);
    assert_int_equal(deviation.place.col, -1);
    assert_true(isnan(deviation.place.got) && isnan(deviation.place.want));
}

TEST_WITH(deviation_finds_one_entry_anywhere, fill_sums, NULL) {
    for (int p = 0; p < PLACES; p++) {
        const int at = places[p];
        const uint16_t right = c[at];
        c[at] = number16_from_float(ELEMENT_F16, reference[at] + (p % 2 ? 50.0f : -50.0f));
        assert_int_equal(check_deviation(ELEMENT_F16, c, reference, shape, &deviation), OUTCOME_OK);
        assert_true(fabs(deviation.largest - 50) < 0.1);
        assert_int_equal(deviation.place.row, at / COLS);
        assert_int_equal(deviation.place.col, at % COLS);
        c[at] = ELEMENT_NAN;
        assert_int_equal(check_deviation(ELEMENT_F16, c, reference, shape, &deviation),
                         OUTCOME_NAN_LEFT);
        assert_int_equal(deviation.nan, 1);
        assert_int_equal(deviation.place.row, at / COLS);
        assert_int_equal(deviation.place.col, at % COLS);
        assert_true(isnan(deviation.place.got) && deviation.place.want == reference[at]);
        c[at] = right;
    }
}

TEST_WITH(deviation_places_the_first_nan, fill_sums, NULL) {
    c[10] = number16_from_float(ELEMENT_F16, reference[10] + 100);
    c[3000] = c[3001] = c[8000] = ELEMENT_NAN;
    c[8500] = number16_from_float(ELEMENT_F16, reference[8500] - 200);
    assert_int_equal(check_deviation(ELEMENT_F16, c, reference, shape, &deviation),
                     OUTCOME_NAN_LEFT);
    assert_int_equal(deviation.nan, 3);
    assert_int_equal(deviation.place.row, 3000 / COLS);
    assert_int_equal(deviation.place.col, 3000 % COLS);
    assert_true(fabs(deviation.largest - 200) < 0.2);
}

TEST_WITH(deviation_of_infinities, fill_sums, NULL) {
    c[20] = 0xfc00;
    assert_int_equal(check_deviation(ELEMENT_F16, c, reference, shape, &deviation), OUTCOME_OK);
    assert_true(isinf(deviation.largest));
    assert_int_equal(deviation.place.col, 20);
    reference[20] = -INFINITY;
    assert_int_equal(check_deviation(ELEMENT_F16, c, reference, shape, &deviation), OUTCOME_OK);
    assert_true(deviation.largest < 1 && isinf(deviation.reference_max));
    reference[20] = INFINITY;
    assert_int_equal(check_deviation(ELEMENT_F16, c, reference, shape, &deviation), OUTCOME_OK);
    assert_true(isinf(deviation.largest));
    reference[20] = 1;
    c[20] = element_power(ELEMENT_F16, 0);
    reference[30] = NAN;
    assert_int_equal(check_deviation(ELEMENT_F16, c, reference, shape, &deviation), OUTCOME_OK);
    assert_true(isinf(deviation.largest));
}

/* One place off is near, two are coarse: of all sizes, subnormal ones among them. */
TEST(coarse_is_counted_in_last_places) {
    int64_t coarse = 0;
    for (int i = 0; i < TOTAL; i++) {
        const uint16_t bits = (uint16_t)(i * 977 % 0x7b00);
        reference[i] = number16_to_float(ELEMENT_F16, bits);
        c[i] = (uint16_t)(bits + i % 4); /* up to the next power of two and over it */
        coarse += i % 4 >= 2;
    }
    assert_int_equal(check_deviation(ELEMENT_F16, c, reference, shape, &deviation), OUTCOME_OK);
    assert_int_equal(deviation.coarse, coarse);
    for (int i = 0; i < TOTAL; i++)
        reference[i] +=
            0.49f * number16_ulp(ELEMENT_F16, reference[i]); /* what rounding may hide */
    assert_int_equal(check_deviation(ELEMENT_F16, c, reference, shape, &deviation), OUTCOME_OK);
    assert_int_equal(deviation.coarse, coarse);
}

/* Of bf16: counts below 256 are compared, and those above are not, whose last place is 2. */
TEST(counts_of_bf16_end_at_256) {
    for (int i = 0; i < TOTAL; i++) {
        reference[i] = (float)(i % 512);
        c[i] = number16_from_float(ELEMENT_BF16, reference[i]);
    }
    assert_int_equal(check_exact(ELEMENT_BF16, c, reference, shape, &exact), OUTCOME_OK);
    int64_t compared = 0;
    for (int i = 0; i < TOTAL; i++)
        compared += i % 512 < 256;
    assert_int_equal(exact.compared, compared);
    c[257] ^= 1; /* 257 */
    assert_int_equal(check_exact(ELEMENT_BF16, c, reference, shape, &exact), OUTCOME_OK);
    c[255] ^= 1; /* 255 */
    assert_int_equal(check_exact(ELEMENT_BF16, c, reference, shape, &exact), OUTCOME_INEXACT);
    assert_int_equal(exact.wrong, 1);
    assert_int_equal(exact.place.row * COLS + exact.place.col, 255);
    assert_true(exact.place.want == 255 && exact.place.got == 254);
    c[258] = 0x7f81; /* NaN, and a number of binary16 */
    assert_int_equal(check_exact(ELEMENT_BF16, c, reference, shape, &exact), OUTCOME_NAN_LEFT);
}

/* The upper half of a float is up to a last place off; one in four is more than 0.75. Nothing of
 * that is coarse for f16, and nothing that is rounded is for bf16. */
TEST_WITH(cut_off_sums_of_bf16_are_coarse, fill_sums, NULL) {
    for (int i = 0; i < TOTAL; i++)
        c[i] = number16_from_float(ELEMENT_BF16, reference[i]);
    assert_int_equal(check_deviation(ELEMENT_BF16, c, reference, shape, &deviation), OUTCOME_OK);
    assert_int_equal(deviation.coarse, 0);
    double largest = 0;
    for (int i = 0; i < TOTAL; i++)
        largest =
            fmax(largest, (double)fabsf(number16_to_float(ELEMENT_BF16, c[i]) - reference[i]));
    assert_true(deviation.largest == largest);
    assert_true(largest <= check_bound(ELEMENT_BF16, 0, deviation.reference_max, 1, GEMM_F32));
    uint32_t random = 1;
    for (int i = 0; i < TOTAL; i++) {
        uint32_t bits;
        random = random * 1664525 + 1013904223;
        reference[i] *= 1 + (float)(random >> 16) * 0x1p-22f; /* its lower half is any */
        memcpy(&bits, &reference[i], sizeof bits);
        c[i] = (uint16_t)(bits >> 16);
    }
    assert_int_equal(check_deviation(ELEMENT_BF16, c, reference, shape, &deviation), OUTCOME_OK);
    assert_in_range(deviation.coarse, TOTAL / 5, TOTAL / 3);
    assert_true((uint64_t)deviation.coarse > check_coarse_allowed(0.02, shape));
}

/* 512 lies in [512, 1024), where bfloat16 steps by 4. */
TEST(bound_of_bf16_is_the_formula) {
    const double a = 0x1p-12 + 0x1p-5;
    assert_true(check_bound(ELEMENT_BF16, 0.1, 512, 4096, GEMM_F32) == 2 + a);
    assert_true(check_bound(ELEMENT_BF16, 2.5, 512, 4096, GEMM_F32) == 2.5 + a);
}

/* 700 lies in [512, 1024), where binary16 steps by 1/2: rounding may cost 1/4. */
TEST(bound_is_the_formula) {
    /* a = 2^-12 + 512 * 2^-23 * 512 */
    const double a = 0x1p-12 + 0x1p-5;
    assert_true(check_bound(ELEMENT_F16, 0.1, 512, 4096, GEMM_F32) == 0.25 + a);
    assert_true(check_bound(ELEMENT_F16, 0.3, 512, 4096, GEMM_F32) == 0.3 + a);
    assert_true(check_bound(ELEMENT_F16, 0.5, 512, 4096, GEMM_F16) == 0.625 + a);
}

/* The bound tells an honest rounding of the FP32 sum from one that lost a bit of it. */
TEST_WITH(bound_separates_a_rounding_from_a_loss, fill_sums, NULL) {
    check_deviation(ELEMENT_F16, c, reference, shape, &deviation);
    const double bound = check_bound(ELEMENT_F16, 0, deviation.reference_max, 64, GEMM_F32);
    assert_true(deviation.largest <= bound);
    for (int i = 0; i < TOTAL; i++)
        c[i] &= 0xfffe;
    check_deviation(ELEMENT_F16, c, reference, shape, &deviation);
    assert_true(deviation.largest > bound);
}

/* By hand: 1 % of 10,000 is 100, and 6 * sqrt(101) = 60.3 more. */
TEST(coarse_elements_are_allowed_by_share) {
    const struct shape flat = {100, 100, 64}, deep = {100, 100, 16384}, one = {1, 1, 64};
    assert_int_equal(check_coarse_allowed(0, flat), 160);
    assert_int_equal(check_coarse_allowed(0.005, flat), 160);
    assert_int_equal(check_coarse_allowed(0.02, flat), 400 + 120); /* 6 * sqrt(401) = 120.1 */
    assert_int_equal(check_coarse_allowed(0, deep), 312 + 106);    /* 312.5 + 6 * sqrt(313.5) */
    assert_int_equal(check_coarse_allowed(0.9, flat), 10000);
    assert_int_equal(check_coarse_allowed(0, one), 1);
}
